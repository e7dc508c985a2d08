package replay

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// Only these make markup of a string: text escapes it, and the others have nothing
// that was recorded.
func TestWhatMakesMarkup(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var makers []string
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if made, ok := call.Fun.(*ast.Ident); ok && made.Name == "markup" {
						f, _ := decl.(*ast.FuncDecl)
						if f == nil {
							t.Fatalf("%s makes markup outside of a function", file)
						}
						makers = append(makers, f.Name.Name)
					}
				}
				return true
			})
		}
	}
	slices.Sort(makers)
	if want := []string{"Render", "hash", "number", "text"}; !slices.Equal(makers, want) {
		t.Errorf("%q make markup, want %q", makers, want)
	}
}
