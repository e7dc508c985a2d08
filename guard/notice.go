package guard

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/loopbreaker/loopbreaker/canonical/measure"
	"github.com/loopbreaker/loopbreaker/canonical/verdict"
)

// Every sentence the guard shows to a model or a person stands in this file.

const advice = "Use what you already know and take a different concrete action."

// refusal is what the model reads as the result of a refused call. It gives the
// count as the rule sees it: repeats in a window need not have been consecutive,
// and are not called so.
func refusal(f finding) string {
	switch f.rule {
	case RuleDuplicate:
		return fmt.Sprintf("Loopbreaker refused this call: the identical %s call is already in this batch. Do not repeat it.", f.tool)
	case RuleStuck:
		return fmt.Sprintf("Loopbreaker refused this call: you have made the identical %s call in each of the last %d turns, and it has shown nothing new. "+
			"You are stuck. Stop, say what you know, and ask the user how to go on.", f.tool, f.count)
	case RuleStreak:
		return fmt.Sprintf("Loopbreaker refused this call: the identical %s call gave the identical result %d times in a row. "+
			"Making it once more will not change that. %s", f.tool, f.count, advice)
	case RuleOccurrences, RuleFailures:
		return measuresRefusal(f)
	}
	return fmt.Sprintf("Loopbreaker refused this call: the identical %s call was already made %d times among the last %d tool calls. "+
		"Making it once more will not change the result. %s", f.tool, f.count, f.window, advice)
}

// remarkPrefix begins every remark, so that it is known again in a result.
const remarkPrefix = "[Loopbreaker] "

// remark is what the model is told about a call that it may make.
func remark(f finding) string {
	if f.rule == RuleRejected {
		return fmt.Sprintf(remarkPrefix+"Calls of %s were rejected before they ran in %d of your responses%s. The same call fails again. "+
			"Read the error and correct the call (the tool's name, the fields it requires, their types), or use another tool.", f.tool, f.count, quoted(f.evidence))
	}
	if f.measure != "" {
		return remarkPrefix + measuresRemark(f)
	}
	return fmt.Sprintf(remarkPrefix+"The identical %s call gave the identical result %d times in a row. Stop repeating it: "+
		"change your strategy, or give your answer with what you know.", f.tool, f.count)
}

// measuresRemark is what the model is told about a call that was counted by what
// it means.
func measuresRemark(f finding) string {
	name := preview(harmless(string(f.measure)), f.chars)
	switch {
	case f.rule == RuleFailures:
		return fmt.Sprintf("%s has failed %d times in a row; the last time %s. To put the same call in other words will hardly change that. "+
			"Before you try again, say what the error says. If it names a target (an address, a path, a host, a command), check that the target exists. "+
			"If it names a cause, deal with the cause.", name, f.count, f.evidence)
	case f.stage == StageSummarize:
		return fmt.Sprintf("%s has come up %d times since the user's last message, and the work is not done. Before you go on, write down: "+
			"(1) what you have established, and how you know it; (2) what you have assumed without checking; (3) what has failed, and why, as far as you can tell; "+
			"(4) at least two approaches that you have not tried, and which of them comes next. Do not go back to what you list as failed. "+
			"If you work through something piece by piece, take larger pieces, so that there are fewer of them.", name, f.count)
	}
	return fmt.Sprintf("You are repeating yourself: %s has come up %d times since the user's last message. "+
		"Ask yourself whether this route leads anywhere, and whether another gets there sooner.", name, f.count)
}

// measuresRefusal is what the model reads as the result of a call that was refused
// for what it means.
func measuresRefusal(f finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "REPEAT_TOOL_BLOCKED: Loopbreaker refused this %s call. It was not run.\n", f.tool)
	b.WriteString(listed(f))
	b.WriteString("Another description, timeout, flag such as --max-time, or spelling of a host does not make it a new action.\n")
	b.WriteString(map[Answer]string{
		Declined:   "The user was asked to allow it and declined: it stays refused until the user writes again.\n",
		TimedOut:   "The user was asked to allow it and did not answer in time: it stays refused until the user writes again.\n",
		Aborted:    "The run was ended while the user was being asked to allow it: it stays refused until the user writes again.\n",
		Unattended: "Nobody could be asked to allow it: it stays refused until the user writes again.\n",
		beingAsked: "The user is being asked to allow it at this moment: wait for that answer before you try again.\n",
	}[f.gated.answer])
	b.WriteString("Still allowed is every call that does not do this again: read the error or a log, search the code, try another address.\n")
	if f.gated.quote != "" {
		fmt.Fprintf(&b, "The last result of such a call began:\n%s\n", harmless(f.gated.quote))
	} else {
		b.WriteString("The result of the last such call stands further up in this conversation.\n")
	}
	b.WriteString(advice)
	return b.String()
}

// askTitle and askMessage are what the operator is asked.
func askTitle(f finding) string { return fmt.Sprintf("Loopbreaker: let this %s call run?", f.tool) }

func askMessage(f finding) string {
	f.chars = min(f.chars, quotedLimit) // a dialog is small
	return fmt.Sprintf("It is about to be refused.\n%sYes lets it run, and stops counting this until your next message. "+
		"No refuses all of this until then, without asking again.", listed(f))
}

// listed names the measures that a call is held for, a line each.
func listed(f finding) string {
	var b strings.Builder
	for _, h := range f.gated.hits {
		name := preview(harmless(string(h.ID)), f.chars)
		if h.failure != nil {
			fmt.Fprintf(&b, "- %s: %s in a row, the limit is %d; the last time %s\n", name, counted(h.count, "failure"), h.limit, failure(*h.failure))
		} else {
			fmt.Fprintf(&b, "- %s: %d times with this call, the limit is %d\n", name, h.count, h.limit)
		}
	}
	return b.String()
}

// failure says how a call failed.
func failure(v verdict.Verdict) string {
	detail := harmless(preview(v.Detail, quotedLimit))
	says := func(with, without string) string {
		if detail == "" {
			return without
		}
		return fmt.Sprintf(with, detail)
	}
	switch v.Reason {
	case verdict.Exit:
		return says("the command exited with code %s", "the command failed")
	case verdict.Status:
		return says("the answer was HTTP status %s", "the answer was an error")
	case verdict.Timeout:
		return says("it timed out after %s", "it timed out")
	case verdict.Signal:
		return says("the command was killed by %s", "the command was killed")
	case verdict.Sandbox:
		return "the sandbox denied it"
	case verdict.Exception:
		return says("the script ended with %s", "the script ended with an exception")
	case verdict.Curl:
		return says("curl failed with code %s", "curl failed")
	}
	return says("the error was: %s", "it failed")
}

// preview returns the first characters of a text, and says how many more there
// are.
func preview(text string, chars int) string {
	return previewOf(text, chars, utf8.RuneCountInString(text))
}

// previewOf does so with a text of which there is only the beginning.
func previewOf(text string, chars, total int) string {
	if total <= chars {
		return text
	}
	n := 0
	for i := range text {
		if n == chars {
			text = text[:i]
			break
		}
		n++
	}
	return fmt.Sprintf("%s… (+%d more)", strings.ToValidUTF8(text, ""), total-min(n, chars))
}

// harmless returns text of others so that nothing in it looks to a model, or to
// what parses a model's output, like a tool call.
func harmless(text string) string { return toolMarkup.ReplaceAllString(text, "‹$1") }

var toolMarkup = regexp.MustCompile(`(?i)(?:<|\[)(/?(?:[\w]*:)?(?:tool_|function|invoke|parameter|\||｜))`)

// noToolsNow answers a call in the turn in which the model is to answer.
const noToolsNow = "Loopbreaker has ended your run, and refuses every call. Answer in words: what you know, what you could not do, what you need."

// refusedNotice tells the user of the first refusal of a prompt.
func refusedNotice(f finding) string {
	return fmt.Sprintf("Loopbreaker refused a call of %s: %s. /loopbreaker why tells more.", f.tool, seen(f))
}

// ended tells the user that the run was ended.
func ended(f finding, refusals int) string {
	if f.rule == RuleRejected {
		return fmt.Sprintf("Loopbreaker ended the run: %s.", seen(f))
	}
	return fmt.Sprintf("Loopbreaker ended the run: %s, after %s.", seen(f), counted(refusals, "refusal"))
}

// recovery asks the model for what is left to say after the run was ended.
func recovery(f finding) string {
	return fmt.Sprintf("Loopbreaker ended your run: %s. Call no tools now. Say briefly what you have found out, "+
		"what you could not do and why, and what you need from the user to go on.", seen(f))
}

// seen says what a rule saw.
func seen(f finding) string {
	switch f.rule {
	case RuleDuplicate:
		return fmt.Sprintf("the identical %s call had come %s in the same response", f.tool, counted(f.count, "time"))
	case RuleStuck:
		return fmt.Sprintf("the identical %s call had come in %s running", f.tool, counted(f.count, "turn"))
	case RuleStreak:
		return fmt.Sprintf("the identical %s call gave the identical result %s in a row", f.tool, counted(f.count, "time"))
	case RuleOccurrences:
		return fmt.Sprintf("%s had come %s among the last %d calls", preview(harmless(string(f.measure)), quotedLimit), counted(f.count, "time"), f.window)
	case RuleFailures:
		return fmt.Sprintf("%s had failed %s in a row", preview(harmless(string(f.measure)), quotedLimit), counted(f.count, "time"))
	case RuleRejected:
		return fmt.Sprintf("calls of %s were rejected before they ran in %s%s", f.tool, counted(f.count, "response"), quoted(f.evidence))
	case RuleRecovery:
		return fmt.Sprintf("the model called %s after the run was ended", f.tool)
	case RuleRefusals:
		return fmt.Sprintf("%s in one prompt, the last of %s", counted(f.count, "refusal"), f.tool)
	}
	return fmt.Sprintf("the identical %s call was already made %s among the last %d", f.tool, counted(f.count, "time"), f.window)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// quotedLimit is how much of somebody else's text a sentence of ours quotes, in
// bytes.
const quotedLimit = 160

// quoted puts the first line of a text in brackets, and the next where that only
// announces it; nothing for an empty text.
func quoted(text string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if strings.HasSuffix(first, ":") {
		next, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		first = strings.TrimSpace(first + " " + next)
	}
	if len(first) > quotedLimit {
		first = strings.ToValidUTF8(first[:quotedLimit], "") + "…"
	}
	if first == "" {
		return ""
	}
	return " (" + first + ")"
}

// did says, for a person, what a stage does.
func did(stage string) string {
	switch stage {
	case StageBlock.String():
		return "refused a call"
	case StageAbort.String():
		return "ended the run"
	case StageSteer.String():
		return "spoke to the model"
	case StageSummarize.String():
		return "asked the model for a summary"
	case StageAsk.String():
		return "asked you about a call"
	}
	return "put a remark at a result"
}

// status is the line in the host's footer: empty as long as all is quiet.
func status(off, ended bool, refusals int) string {
	switch {
	case off:
		return "loopbreaker OFF"
	case ended && refusals > 0:
		return fmt.Sprintf("loopbreaker: ended the run, %d refused", refusals)
	case ended:
		return "loopbreaker: ended the run"
	case refusals > 0:
		return fmt.Sprintf("loopbreaker: %d refused", refusals)
	}
	return ""
}

// ConfigProblem tells the user what is wrong with a configuration.
func ConfigProblem(what string) string { return "Loopbreaker's configuration: " + what }

// TraceFailed tells the user that the trace was not opened.
func TraceFailed(err error) string {
	return fmt.Sprintf("Loopbreaker cannot write the trace, and guards without it: %v", err)
}

// TraceEnded tells the user that the trace stops before the session does.
func TraceEnded(err error) string {
	return fmt.Sprintf("Loopbreaker stopped tracing, and guards on: %v", err)
}

// CommandHelp explains /loopbreaker.
func CommandHelp() string {
	return "/loopbreaker status     what the guard is doing\n" +
		"/loopbreaker why        what it did last, and why\n" +
		"/loopbreaker measures   what came most often, and what failed most often in a row\n" +
		"/loopbreaker off        let every call run\n" +
		"/loopbreaker on         guard again, with an empty memory\n" +
		"/loopbreaker reset      forget all calls and counts\n" +
		"/loopbreaker preset P   go by another preset in this session: " + strings.Join(PresetNames(), ", ") + "\n" +
		"/loopbreaker help       this text"
}

// farthest says how far the measures have come.
func farthest(peaks []Peak, m Measures) string {
	switch {
	case m.off():
		return "Loopbreaker counts no measures: none has a limit (measures.limits)."
	case len(peaks) == 0:
		return "Loopbreaker has seen no measured call in this session."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "How far measures have come in this session, among %d calls:", m.Window)
	for _, p := range peaks {
		fmt.Fprintf(&b, "\n- %s: %s", preview(harmless(string(p.Counted)), quotedLimit), counted(p.Count, "time"))
		if limit := m.limit(p.Counted); limit > 0 {
			fmt.Fprintf(&b, ", the limit is %d", limit)
		}
		if p.Failures > 0 {
			fmt.Fprintf(&b, "; %s: %s in a row", preview(harmless(string(p.Failing)), quotedLimit), counted(p.Failures, "failure"))
		}
	}
	return b.String()
}

// ResetDone answers a reset.
const ResetDone = "Loopbreaker has forgotten all calls and counts."

// UnknownPreset answers a preset that does not exist.
func UnknownPreset(name string) string {
	return fmt.Sprintf("There is no preset %q.\n%s", name, CommandHelp())
}

// UnknownCommand answers what is no command.
func UnknownCommand(args string) string {
	return fmt.Sprintf("Loopbreaker does not know %q.\n%s", args, CommandHelp())
}

// report says what the guard is doing.
func report(off bool, preset string, inPrompt, inSession int) string {
	if off {
		return "Loopbreaker is OFF: every call runs. /loopbreaker on switches it on."
	}
	return fmt.Sprintf("Loopbreaker is on, preset %s. Refused: %d in this prompt, %d in this session.", preset, inPrompt, inSession)
}

// explanation says what the guard did, the latest first.
func explanation(history []Why) string {
	if len(history) == 0 {
		return "Loopbreaker has done nothing in this session."
	}
	var b strings.Builder
	b.WriteString("What Loopbreaker did, the latest first:")
	for i := len(history) - 1; i >= 0; i-- {
		w := history[i]
		f := finding{rule: w.Rule, tool: w.Tool, count: w.Count, limit: w.Limit, window: w.Window, measure: measure.ID(w.Measure)}
		fmt.Fprintf(&b, "\n- %s: %s (rule %s", did(w.Stage), seen(f), w.Rule)
		if w.Limit > 0 {
			fmt.Fprintf(&b, ", due from %d", w.Limit)
		}
		b.WriteByte(')')
	}
	return b.String()
}
