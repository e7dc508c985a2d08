package replay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// measured is a session of calls, each written "command=result"; one whose result
// begins with ! is a failure.
func measured(calls ...string) []byte {
	var b strings.Builder
	fmt.Fprintln(&b, `{"ev":"user"}`)
	for i, c := range calls {
		command, result, _ := strings.Cut(c, "=")
		result, failed := strings.CutPrefix(result, "!")
		fmt.Fprintf(&b, `{"ev":"turn"}`+"\n"+`{"ev":"call","id":"%d","tool":"bash","input":{"command":%q}}`+"\n", i, command)
		fmt.Fprintf(&b, `{"ev":"result","id":"%d","isError":%v,"text":%q}`+"\n", i, failed, result)
	}
	return []byte(b.String())
}

func calledTimes(n int, call string) (calls []string) {
	for range n {
		calls = append(calls, call)
	}
	return calls
}

func TestReach(t *testing.T) {
	var pages []string
	for i := range 9 {
		pages = append(pages, fmt.Sprintf("curl https://a.example/%d=ok", i))
	}
	folder := t.TempDir()
	for name, text := range map[string][]byte{
		"a.jsonl":     measured(append(calledTimes(3, "make=!Command exited with code 2"), "make=ok", "make=!no")...),
		"b.jsonl":     measured(calledTimes(30, "make=!Command exited with code 2")...),
		"c.jsonl":     measured(pages...),
		"index.jsonl": []byte(`{"file":"a.jsonl","label":"healthy"}` + "\n" + `{"file":"b.jsonl","label":"stuck"}` + "\n" + `{"file":"c.jsonl","label":"healthy"}` + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := Files(context.Background(), []string{folder}, nil)
	l := Lab{Options: under("default"), Workers: 2} // what another preset refuses is no matter
	r := l.Reach(context.Background(), files)
	if r.Window != 16 {
		t.Errorf("window %d", r.Window)
	}
	got := map[string]string{}
	for _, k := range r.Kinds {
		text := ""
		for _, n := range []int{1, 2, 5, 6, 9, 17} {
			if n < len(k.Count) {
				text += fmt.Sprintf(" %d:%d+%d", n, k.Count[n].Healthy, k.Count[n].Other)
			}
		}
		text += " failing"
		for _, n := range []int{1, 3, 4, 30} {
			if n < len(k.Failures) {
				text += fmt.Sprintf(" %d:%d+%d", n, k.Failures[n].Healthy, k.Failures[n].Other)
			}
		}
		got[k.Kind] = text
	}
	if want := map[string]string{
		"host":   " 1:1+0 2:1+0 5:1+0 6:1+0 9:1+0 failing",
		"site":   " 1:1+0 2:1+0 5:1+0 6:1+0 9:1+0 failing",
		"net":    " 1:1+0 failing",
		"family": " 1:1+0 2:1+0 5:1+0 6:1+0 9:1+0 failing",
		"cmd":    " 1:2+1 2:1+1 5:1+1 6:0+1 9:0+1 17:0+1 failing 1:1+1 3:1+1 4:0+1 30:0+1",
		"exact":  " 1:2+1 2:1+1 5:1+1 6:0+1 9:0+1 17:0+1 failing 1:1+1 3:1+1 4:0+1 30:0+1",
		"verb":   " 1:2+1 2:2+1 5:2+1 6:1+1 9:1+1 17:0+1 failing 1:1+1 3:1+1 4:0+1 30:0+1",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}

	var out strings.Builder
	if err := WriteReach(&out, r); err != nil || !strings.Contains(out.String(), "among 16 calls") || !strings.Contains(out.String(), "1+1") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Thresholds that can never speak or act in these sessions are marked.
func TestIdle(t *testing.T) {
	files := []File{InMemory("a.jsonl", measured(calledTimes(4, "make=!no")...))}
	l := Lab{Options: under("measures")}
	reach := l.Reach(context.Background(), files)
	l.Known = &reach
	base := "measures.limits=exact=4,cmd=4,net=null,host=null,sink=null"
	l.Options.Flags.Set = []string{base, "measures.warnAt=2", "measures.summarizeAt=3", "measures.failWarnAt=3", "measures.failLimit=4"}
	for set, idle := range map[string]string{
		"measures.failLimit=4":          "",
		"measures.failLimit=5":          "failLimit 5: none gets beyond 4",
		"measures.failWarnAt=9":         "failWarnAt 9: none gets beyond 4",
		"measures.failWarnAt=0":         "",
		"measures.warnAt=3":             "",
		"measures.warnAt=4":             "warnAt 4 is not below any limit",
		"measures.limits=cmd=9":         "the highest of limits 9: none gets beyond 4",
		"measures.limits=exact:other=9": "the highest of limits 9: none gets beyond 4",
		"measures.limits=verb=3":        "",
	} {
		path, value, _ := strings.Cut(set, "=")
		l.Sweep(context.Background(), files, []Range{{path, []string{value}}}, func(p Point) {
			if p.Idle != idle {
				t.Errorf("%s: %q, want %q", set, p.Idle, idle)
			}
		})
	}
}
