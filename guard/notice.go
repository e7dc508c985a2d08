package guard

import (
	"fmt"
	"strings"
	"unicode"
)

// Every sentence the guard shows to a model or a person stands in this file.

const otherAction = "Use what you already know and take a different concrete action."

// advice says what to do instead, by what the result shows.
func advice(f finding) string {
	if f.rule == RuleRisk {
		const other = "Find out more another way: another diagnostic tool or a narrower command, the logs, the configuration files that it depends on."
		if f.stage == StageBlock {
			return "The last one like it failed. " + other
		}
		return other
	}
	switch f.symptom {
	case SymptomAnchor:
		return "The text to replace is not in the file as you write it. Read the file again and copy the lines from there."
	case SymptomApplied:
		return "The file has that change already. Look at the file, then go on with the next step."
	case SymptomMissing:
		return "There is nothing under that name. List what there is, and go by that."
	case SymptomNothing:
		return "What you look for is not there. Take that as the answer, or look for something else."
	case SymptomFailing:
		return "It fails for a reason that another try does not change. Deal with the error first, or go another way."
	case SymptomWaiting:
		return "Wait once, for much longer, or do other work meanwhile, or say what you are waiting for."
	}
	return otherAction
}

// lastStrike follows a refusal when the next one ends the run.
const lastStrike = " Refusals before this one were not heeded, and one more ends your run: if nothing else is left to try, say what you know and what you need."

// refusal is what the model reads as the result of a refused call. It gives the
// count as the rule sees it: repeats in a window need not have been consecutive,
// and are not called so.
func refusal(f finding) string {
	const refused = "Loopbreaker refused this call: "
	switch f.rule {
	case RuleDuplicate:
		return fmt.Sprintf(refused+"the identical %s call is already in this batch. Do not repeat it.", f.tool)
	case RuleStuck:
		return fmt.Sprintf(refused+"you have made the identical %s call in each of the last %d turns, and it has shown nothing new. "+
			"You are stuck. Stop, say what you know, and ask the user how to go on.", f.tool, f.count)
	case RuleStreak:
		return fmt.Sprintf(refused+"the identical %s call gave the identical result %d times in a row. "+
			"Making it once more will not change that. %s", f.tool, f.count, otherAction)
	case RuleWindow:
		return fmt.Sprintf(refused+"the identical %s call was already made %d times among the last %d tool calls. "+
			"Making it once more will not change the result. %s", f.tool, f.count, f.window, otherAction)
	}
	return refused + seen(f) + "." + lastResult(f) + " " + advice(f)
}

// lastResult quotes the result in question.
func lastResult(f finding) string {
	if f.quote == "" {
		return ""
	}
	return " Its last result:" + quoted(f.quote) + "."
}

// remarkPrefix begins every remark, so that it is known again in a result.
const remarkPrefix = "[Loopbreaker] "

// remark is what the model is told about a call that it may make.
func remark(f finding) string {
	if f.rule == RuleRejected {
		return fmt.Sprintf(remarkPrefix+"Calls of %s were rejected before they ran in %d of your responses%s. The same call fails again. "+
			"Read the error and correct the call (the tool's name, the fields it requires, their types), or use another tool.", f.tool, f.count, quoted(f.quote))
	}
	if f.rule == RuleStreak {
		return fmt.Sprintf(remarkPrefix+"The identical %s call gave the identical result %d times in a row. Stop repeating it: "+
			"change your strategy, or give your answer with what you know.", f.tool, f.count)
	}
	said := seen(f)
	return remarkPrefix + strings.ToUpper(said[:1]) + said[1:] + "." + lastResult(f) + " " + advice(f)
}

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
	case RuleRepeat:
		return fmt.Sprintf("this %s call showed the same %s among the last %d calls, and nothing has changed in between", f.tool, counted(f.count, "time"), f.window)
	case RuleStale:
		return fmt.Sprintf("%d of the last %d calls showed only what earlier ones had shown, this %s call among them", f.count, f.window, f.tool)
	case RuleCycle:
		return fmt.Sprintf("the same %d calls have come round %s with the same results, this %s call among them", f.window, counted(f.count, "time"), f.tool)
	case RuleNovelty:
		return fmt.Sprintf("the last %d calls showed nothing that was new, this %s call among them", f.count, f.tool)
	case RuleReapplied:
		return fmt.Sprintf("this %s call was made with success %s in a row, and nothing else has changed", f.tool, counted(f.count, "time"))
	case RulePolling:
		return fmt.Sprintf("this %s call has waited %s and found the same each time", f.tool, counted(f.count, "time"))
	case RuleOutput:
		return fmt.Sprintf("the last %d calls of %s were all different and had one and the same answer", f.count, f.tool)
	case RuleCounter:
		return fmt.Sprintf("the last %d results of this %s call differ in nothing but their numbers", f.count, f.tool)
	case RuleRisk:
		return fmt.Sprintf("this %s call has a loop risk of %d in 100 (%s)", f.tool, f.count, f.parts)
	case RuleRejected:
		return fmt.Sprintf("calls of %s were rejected before they ran in %s%s", f.tool, counted(f.count, "response"), quoted(f.quote))
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
	first = strings.TrimSpace(strings.Map(printed, first))
	if len(first) > quotedLimit {
		first = strings.ToValidUTF8(first[:quotedLimit], "") + "…"
	}
	if first == "" {
		return ""
	}
	return " (" + first + ")"
}

// printed is a character as a quotation shows it: what would act on a terminal, or
// pass for markup, does not.
func printed(r rune) rune {
	switch {
	case r == '<':
		return '‹'
	case r == '>':
		return '›'
	case r == '\t':
		return ' '
	case !unicode.IsPrint(r): // controls, and those that turn the direction of text
		return -1
	}
	return r
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
		"/loopbreaker off        let every call run\n" +
		"/loopbreaker on         guard again, with an empty memory\n" +
		"/loopbreaker reset      forget all calls and counts\n" +
		"/loopbreaker preset P   go by another preset in this session: " + strings.Join(PresetNames(), ", ") + "\n" +
		"/loopbreaker help       this text"
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

// scoring says what the calls of a session scored.
func scoring(s scores) string {
	if s.n == 0 {
		return " No call has been scored."
	}
	var b strings.Builder
	fmt.Fprintf(&b, " Loop risk of %s: %d at most", counted(s.n, "call"), s.highest.Total())
	if s.highest.Total() > 0 {
		fmt.Fprintf(&b, " (%s)", s.highest)
	}
	b.WriteString("; of the last, the latest first:")
	for i := len(s.last) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, " %d", s.last[i].Total())
	}
	b.WriteByte('.')
	return b.String()
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
		f := finding{rule: w.Rule, tool: w.Tool, count: w.Count, limit: w.Limit, window: w.Window, parts: w.Parts}
		fmt.Fprintf(&b, "\n- %s: %s (rule %s", did(w.Stage), seen(f), w.Rule)
		if w.Limit > 0 {
			fmt.Fprintf(&b, ", due from %d", w.Limit)
		}
		b.WriteByte(')')
	}
	return b.String()
}
