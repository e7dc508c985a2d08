package guard

import "testing"

func TestARefusalIsKnownAgain(t *testing.T) {
	for _, rule := range []Rule{RuleWindow, RuleDuplicate, RuleStuck, RuleStreak} {
		if text := refusal(finding{rule: rule, tool: "bash", count: 5, window: 20}); !RefusedByGuard(text) {
			t.Errorf("%s: %q", rule, text)
		}
	}
	if !RefusedByGuard(noToolsNow) || RefusedByGuard("Command exited with code 1") || RefusedByGuard("") {
		t.Error("what is none is taken for a refusal, or the other way round")
	}
}
