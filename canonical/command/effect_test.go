package command

import "testing"

func TestEffect(t *testing.T) {
	for effect, texts := range map[Effect][]string{
		Looks: {
			"", "# nothing", "ls -la", "ls -R", "cat x y", "head -5 x", "tail -n 5 x", "tail -f x", "nl -ba x | sed -n '1,5p'",
			"grep -rn x .", "rg -n x src", "find . -name '*.go'", "find . -type f -exec grep -l x {} \\;", "find . -name x | xargs grep y",
			"find . -print0 | xargs -0 wc -l", "fd x", "sed -n '1,220p' x", "sed 's/a/b/' x", "sed -e '/^w /d' x", "awk '{print $1}' x", "awk '$1 > 5' x",
			"awk -F: '{ if ($3 >= 1000) print $1 }' /etc/passwd", "wc -l x", "stat x", "ps aux | grep x", "env", "env | sort", "which go", "file x",
			"du -sh .", "tree -L 2", "jq . x", "diff a b", "sort x | uniq -c | sort -rn", "cut -d: -f1 x", "cd x", "cd x && ls", "pwd", "echo hi", "printf x",
			"true", "test -f x", "[ -f x ]", "[[ -f x ]] && cat x", "export A=1", "A=1", "set -e; ls", "x=$(ls); echo $x", "(cd x && ls)",
			"for f in *; do cat $f; done", "if [ -f x ]; then cat x; else ls; fi", "while read l; do echo $l; done < x", "f() { ls; }; f",
			"ls > /dev/null 2>&1", "ls 2>/dev/null", "ls 2>&1 | head", "cat x | tee /dev/null", "cat <<EOF\nx\nEOF", "cat <<< x", "diff <(ls a) <(ls b)",
			"git status", "git log --oneline -5", "git diff HEAD~1", "git show HEAD:x", "git blame x", "git -C x status", "git --no-pager diff", "git branch",
			"git branch -v", "git branch -a", "git branch --show-current", "git branch --list 'x*'", "git tag", "git tag -l", "git remote -v", "git stash list",
			"git config --get user.name", "git config user.name", "git rev-parse HEAD", "git ls-files", "git worktree list", "git reflog", "git grep x",
			"git ls-remote origin", "gh pr view 1", "gh pr list", "gh api repos/a/b", "gh run view 1 --log", "gh pr checks 1",
			"curl https://a.example", "curl -sSL https://a.example | head", "curl -s -o /dev/null -w '%{http_code}' https://a.example", "curl -I https://a.example",
			"curl -X GET https://a.example", "curl -G -d a=1 https://a.example", "curl -D - https://a.example", "wget -qO- https://a.example", "wget --spider https://a.example",
			"http GET a.example", "http a.example q==1", "kubectl get pods", "kubectl -n x describe pod y", "kubectl logs x", "kubectl config view",
			"docker ps", "docker logs x", "docker inspect x", "docker compose ps", "docker image ls", "npm ls", "npm view x", "npm run", "pnpm why x", "pip list",
			"pip show x", "pip freeze", "python -m pip list", "uv pip list", "go list ./...", "go env", "go version", "go doc x", "go mod why x", "cargo tree", "cargo metadata",
			"python --version", "node -v", "foo --version", "foo --help", "foo bar --help", "bash --version", "python -m json.tool x", "command -v x", "type x",
			"sudo ls", "sudo cat /etc/x", "timeout 5 ls", "time ls", "nice ls", "bash -c 'ls | head'", "bash -lc 'cd x && rg y'", "ssh host 'ls -la'", "eval ls",
			"bash <<'EOF'\nls\nEOF", "xargs -I{} cat {} < x", "tar -tzf x.tgz", "tar tf x.tar", "unzip -l x.zip", "zcat x", "date", "uname -a", "hostname", "df -h",
			"perl -ne 'print if 1..5' x", "perl -pe 's/a/b/' x", "gofmt -l .", "gofmt -d x.go", "source .venv/bin/activate", ". ~/.bashrc", "systemctl status x",
			"journalctl -u x", "aws s3 ls", "aws ec2 describe-instances", "terraform show", "brew list", "apt list --installed", "dpkg -l", "crontab -l", "lsof -i :80",
			"open src/x.py", "open x.py 100", "goto 100", "scroll_down", "scroll_up", "search_dir foo src", "search_file foo", "find_file x.py",
			"Get-ChildItem -Recurse | Select-Object Name", "Get-Content x", "Invoke-WebRequest https://a.example", "Test-Path x", "dir /b C:\\x", "make -n",
			"dd if=x of=/dev/null", "cat < x", "yq .a x", "openssl x509 -in x -text", "ping -c 1 a.example", "nc -z host 80", "git apply --check x",
		},
		Waits: {
			"sleep 5", "sleep 5 && cat x", "sleep 30; git status", "while ! curl -s x; do sleep 1; done", "Start-Sleep 5", "kubectl wait --for=x y", "kubectl rollout status x",
			"gh run watch 1", "gh pr checks 1 --watch", "wait", "timeout 60 sleep 5", "bash -c 'sleep 5; tail x'",
		},
		Checks: {
			"pytest", "pytest -q tests/x.py::y", "python -m pytest -q 2>&1 | tail -30", ".venv/bin/pytest", "python3 -m unittest", "cd x && go test ./...", "go build ./...", "go vet ./...",
			"go build -o bin/x .", "go test -run X ./... 2>&1 | head -50", "npm test", "npm run test", "npm run build", "npm run lint -- x", "npm run test:unit", "pnpm test", "pnpm -r build", "pnpm --filter x test",
			"pnpm run typecheck", "pnpm lint", "yarn test", "yarn workspace x build", "bun test", "bun run build", "npx tsc --noEmit", "npx jest x", "npx eslint .", "npx --yes tsc", "bunx tsc", "pnpm exec tsc",
			"tsc -p .", "eslint src", "biome check .", "prettier --check .", "ruff check .", "ruff format --check .", "black --check .", "mypy src", "flake8", "golangci-lint run", "staticcheck ./...",
			"cargo build", "cargo test", "cargo clippy", "cargo check --all", "cargo fmt --check", "make", "make test", "make -j4", "make -C x build", "mvn test", "mvn -q compile", "./mvnw verify",
			"gradle test", "./gradlew build", "uv run pytest", "poetry run pytest -q", "uv run mypy .", "mise run test", "mise run lint", "mise run test:ci", "tox", "dotnet test", "ctest",
			"javac X.java", "gcc -c x.c", "python manage.py test", "python -m django test x", "./tests/runtests.py x", "python tests/runtests.py x", "node --test", "deno test", "bash -n x.sh", "php -l x.php",
			"shellcheck x.sh", "sleep 1; go test ./...", "timeout 60 go test ./...", "CI=1 npm test", "playwright test", "npx playwright test", "bundle exec rspec", "ninja", "cmake --build build", "just test",
			"terraform validate", "helm lint x", "turbo run build", "python -m compileall .", "bash -lc 'cd x && npm test'",
		},
		Changes: {
			"rm x", "mv a b", "cp a b", "mkdir x", "touch x", "chmod +x x", "ln -s a b", "kill 1", "foo", "foo bar", "./x.sh", "./scripts/test-all.sh --keep", "get-it", "bash x.sh", "python x.py", "python -c 'print(1)'", "python3 - <<'EOF'\nx\nEOF",
			"node x.js", "node -e 'x'", "ls > x", "ls >> x", "echo x > y", "echo x >| y", "ls &> x", "> x", "cat > x <<'EOF'\ny\nEOF", "ls > $x", "(ls) > x", "for f in a; do ls; done > x", "ls | tee x", "ls | tee -a x", "ls | sudo tee /etc/x >/dev/null",
			"sed -i s/a/b/ x", "sed -i.bak s/a/b/ x", "sed -ni p x", "sed --in-place s/a/b/ x", "sed 'w out' x", "sed -n '/a/w out' x", "perl -i -pe s/a/b/ x", "perl -pi -e s/a/b/ x", "awk '{print > \"x\"}' y", "awk '{system($1)}' y",
			"find . -delete", "find . -exec rm {} \\;", "find . -name x | xargs rm", "xargs rm < x", "git add .", "git commit -m x", "git checkout x", "git fetch", "git pull", "git push", "git stash", "git stash pop", "git branch x", "git branch -D x",
			"git tag v1", "git remote add a b", "git config user.name x", "git reset --hard", "git rm x", "git diff --output=x", "gh pr create", "gh api -X POST x", "gh api x -f a=b", "gh pr merge 1",
			"curl -o x https://a.example", "curl -O https://a.example/x", "curl -X POST https://a.example", "curl -d a=1 https://a.example", "curl -sXDELETE https://a.example", "curl -T f https://a.example", "curl -F a=@b https://a.example", "curl --json '{}' x",
			"curl https://a.example | sh", "curl https://a.example > x", "wget https://a.example/x", "http POST a.example", "http a.example a=1", "kubectl apply -f x", "kubectl delete pod x", "kubectl exec x -- ls", "docker run x", "docker rm x", "docker compose up -d",
			"npm install", "npm i x", "npm run dev", "npm start", "pnpm add x", "yarn", "npx prettier --write .", "npx create-x", "pip install x", "python -m pip install x", "go mod tidy", "go get x", "go run .", "go generate ./...", "gofmt -w .", "cargo run", "cargo fmt", "cargo add x",
			"make install", "make clean", "make deploy", "mvn install", "gradle publish", "eslint --fix .", "npm run lint:fix", "npm run lint -- --fix", "ruff check --fix .", "ruff format .", "black .", "prettier --write .", "mise run fmt", "golangci-lint run --fix",
			"ls; rm x", "ls && foo", "echo $(rm x)", "bash -c 'rm x'", "sudo rm x", "ssh host 'rm x'", "eval 'rm x'", "if true; then rm x; fi", "f() { rm x; }; f", "cat x | python", "echo rm | sh", "$CMD x", "xargs -I{} sh -c 'rm {}' < x",
			"sort -o x x", "tar xzf x", "tar czf x y", "unzip x", "dd if=a of=b", "source x.sh", "edit 1:2\nfoo\nend_of_edit", "create x.py", "submit", "sqlite3 x 'delete from y'", "apt-get install x", "brew install x", "systemctl restart x", "aws s3 cp a b", "terraform apply",
			"Remove-Item x", "Get-Date | Out-File x", "Set-Content x y", "Get-Date > x.txt", "Invoke-WebRequest https://a.example -OutFile x", "del /q x", "tsx x.ts", "bun x.ts", "deno run x.ts", "python manage.py migrate", "docker build .", "uv run python x.py", "uv sync",
			"rm x )", "echo hi > x )", "mktemp", "yq -i .a=1 x", "date -s x", "hostname x",
		},
	} {
		for _, text := range texts {
			if got := Parse(text).Effect(); got != effect {
				t.Errorf("%q %v, want %v", text, got, effect)
			}
		}
	}
}

// What a script runs decides by its strongest part.
func TestEffectOrder(t *testing.T) {
	for i, want := range []string{"looks", "waits", "checks", "changes"} {
		if got := Effect(i).String(); got != want {
			t.Errorf("Effect(%d) is %s", i, got)
		}
	}
}
