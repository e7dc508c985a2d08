package bridge

import (
	"testing"

	"github.com/go-json-experiment/json"
)

// Some models number their calls anew in each response.
func TestAResultBelongsToTheLastCallOfItsIDBeforeIt(t *testing.T) {
	var p RestoreParams
	err := json.Unmarshal([]byte(`{"events":[
		{"type":"call","toolCallId":"call_1","toolName":"bash","input":{"command":"ls"}},
		{"type":"result","toolCallId":"call_1","isError":false,"content":[{"type":"text","text":"a"}]},
		{"type":"call","toolCallId":"call_1","toolName":"bash","input":{"command":"ls"}},
		{"type":"result","toolCallId":"call_1","isError":true,"refused":true,"content":[{"type":"text","text":"no"}]},
		{"type":"call","toolCallId":"call_1","toolName":"nosuch","input":{}},
		{"type":"result","toolCallId":"call_1","isError":true,"content":[{"type":"text","text":"Tool nosuch not found"}]},
		{"type":"call","toolCallId":"call_1","toolName":"bash","input":{"command":"ls"}}
	]}`), &p)
	if err != nil {
		t.Fatal(err)
	}
	past, bad := p.past()
	if bad != nil {
		t.Fatal(bad.message)
	}
	var got string
	for _, e := range past {
		switch {
		case e.Ran != nil:
			got += "ran "
		case e.Refused != nil:
			got += "refused "
		case e.Rejected != nil:
			got += "rejected "
		}
	}
	if want := "ran refused rejected "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
