package fetch

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("ä", 200)
	for _, tt := range []struct{ asked, disposition, url, mediaType, want string }{
		// The address.
		{"", "", "https://a.example/b/page.html?x=1", "text/html", "page.html"},
		{"", "", "https://a.example/b/", "text/html", "b.html"},
		{"", "", "https://a.example/", "text/html", "a.example.html"},
		{"", "", "https://a.example", "image/x-odd", "a.example"},
		{"", "", "https://a.example/v1/items", "application/json", "items.json"},
		{"", "", "https://a.example/a%20b%09c.txt", "", "a_b_c.txt"},
		{"", "", "https://a.example/%D1%82%D0%B5%D1%81%D1%82.pdf", "", "тест.pdf"},
		{"", "", "https://a.example/x%2F..%2F..%2Fetc%2Fpasswd", "text/plain", "x_.._.._etc_passwd"},
		{"", "", "https://a.example/..%2f..%2fx", "", "x"},
		{"", "", "https://a.example/%2e%2e", "text/plain", "a.example.txt"},
		{"", "", "https://a.example/.bashrc", "", "bashrc"},
		{"", "", "https://a.example/-rf", "", "rf"},
		{"", "", "https://a.example/%ff%fe.txt", "", "txt"},
		{"", "", "https://a.example/a%00b.txt", "", "a_b.txt"},
		{"", "", "https://a.example/nul", "text/plain", "file_nul.txt"},
		{"", "", "https://a.example/Com1.tar.gz", "", "file_Com1.tar.gz"},
		{"", "", "https://a.example/com%C2%B9", "", "file_com¹"},
		{"", "", "https://a.example/console.txt", "", "console.txt"},
		{"", "", "https://a.example/trailing.", "", "trailing"},
		{"", "", "https://a.example/file.txt:stream", "", "file.txt_stream"},
		{"", "", "https://a.example/a%E2%80%AEgpj.exe", "", "a_gpj.exe"},
		{"", "", "https://a.example/" + url.PathEscape(long) + ".json", "", strings.Repeat("ä", 57) + ".json"},
		{"", "", "https://a.example/" + url.PathEscape(long), "application/json", strings.Repeat("ä", 57) + ".json"},
		{"", "", "https://a.example/x." + strings.Repeat("y", 200), "", "x." + strings.Repeat("y", 118)},
		{"", "", "http://[2001:4860::8]/", "text/html", "2001_4860_8.html"},
		// The server.
		{"", `attachment; filename="report (final).pdf"`, "https://a.example/get", "application/pdf", "report_final_.pdf"},
		{"", `attachment; filename="../../.ssh/authorized_keys"`, "https://a.example/get", "", "ssh_authorized_keys"},
		{"", `attachment; filename="C:\\Windows\\system32\\cmd.exe"`, "https://a.example/get", "", "C_Windows_system32_cmd.exe"},
		{"", `attachment; filename*=UTF-8''na%C3%AFve%2Fx.txt`, "https://a.example/get", "", "naïve_x.txt"},
		{"", `attachment; filename=""`, "https://a.example/get", "text/plain", "get.txt"},
		{"", `attachment; filename="..."`, "https://a.example/get", "text/plain", "get.txt"},
		{"", `attachment; filename="a` + "\x01" + `b"`, "https://a.example/get", "text/plain", "a_b.txt"},
		{"", `inline`, "https://a.example/get.bin", "text/plain", "get.bin"},
		// The model.
		{"spec.yaml", `attachment; filename="other.txt"`, "https://a.example/get", "text/plain", "spec.yaml"},
		{"/etc/cron.d/x", "", "https://a.example/get", "", "etc_cron.d_x"},
		{"../up", "", "https://a.example/get", "text/html", "up.html"},
		{`..\up.txt`, "", "https://a.example/get", "", "up.txt"},
		{"$(reboot);`x`.sh", "", "https://a.example/get", "", "reboot_x_.sh"},
		{"ignore\nall rules.txt", "", "https://a.example/get", "", "ignore_all_rules.txt"},
		{"///", "", "https://a.example/get.bin", "", "get.bin"},
		{"🙂", "", "https://a.example/🙂", "text/html", "a.example.html"},
	} {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		r := &http.Response{Header: http.Header{"Content-Disposition": {tt.disposition}}, Request: &http.Request{URL: u}}
		got := fileName(tt.asked, r, tt.mediaType)
		if got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
		sound(t, got)
	}
}

// sound fails the test unless a name is safe.
func sound(t *testing.T, name string) {
	t.Helper()
	switch {
	case name == "" || len(name) > maxName+len(".html") || !utf8.ValidString(name),
		strings.ContainsAny(name, "/\\:*?\"<>|'`$;&()[]{}!#~% \t\r\n\x00"),
		strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) && !unicode.Is(unicode.M, r) }),
		strings.ContainsAny(name[:1], ".-+=@,_"), strings.HasSuffix(name, "."),
		devices[strings.ToUpper(strings.SplitN(name, ".", 2)[0])]:
		t.Errorf("%q is not safe", name)
	}
}

func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"", ".", "..", "a/b", "con.txt", "\xff", "\u202e", "\u0301x", "x" + strings.Repeat(".y", 100), strings.Repeat("é", 61), "nul\u0301", "aux"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := safeName(s)
		if got == "" {
			return
		}
		sound(t, got)
		if again := safeName(got); again != got {
			t.Errorf("%q becomes %q, then %q", s, got, again)
		}
	})
}
