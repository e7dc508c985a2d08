package guard

import (
	"fmt"
	"strings"
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
	return fmt.Sprintf(remarkPrefix+"The identical %s call gave the identical result %d times in a row. Stop repeating it: "+
		"change your strategy, or give your answer with what you know.", f.tool, f.count)
}

// noToolsNow answers a call in the turn in which the model is to answer.
const noToolsNow = "Loopbreaker has ended your run, and refuses every call. Answer in words: what you know, what you could not do, what you need."

// refusedNotice tells the user of the first refusal of a prompt.
func refusedNotice(f finding) string {
	return fmt.Sprintf("Loopbreaker refused a call of %s: %s. /loopbreaker why tells more.", f.tool, seen(f))
}

// ended tells the user that the run was ended.
func ended(f finding, refusals int) string {
	switch f.rule {
	case RuleRejected, RuleText, RuleTruncation:
		return fmt.Sprintf("Loopbreaker ended the run: %s.", seen(f))
	}
	return fmt.Sprintf("Loopbreaker ended the run: %s, after %s.", seen(f), counted(refusals, "refusal"))
}

// recovery asks the model for what is left to say after the run was ended.
func recovery(f finding) string {
	switch f.rule {
	case RuleText:
		return fmt.Sprintf("Loopbreaker cut your response off: %s. Do not go on with that text, and call no tools now. "+
			"Give your answer in a few words of your own, without the repetition; if there is none, say what you need from the user.", repeated(f))
	case RuleTruncation:
		return fmt.Sprintf("Loopbreaker ended your run: %s. Call no tools now. Say briefly what is done and what is not, "+
			"and how the rest can be done in pieces that are small enough.", seen(f))
	}
	return fmt.Sprintf("Loopbreaker ended your run: %s. Call no tools now. Say briefly what you have found out, "+
		"what you could not do and why, and what you need from the user to go on.", seen(f))
}

// repeated says what was written again and again, without a copy of it: the model is
// not to see another.
func repeated(f finding) string {
	what := "the response"
	switch {
	case f.channel == ChannelThinking:
		what = "the thinking"
	case f.channel == ChannelArguments && f.tool != "":
		what = fmt.Sprintf("a call of %s, in its arguments,", f.tool)
	case f.channel == ChannelArguments:
		what = "a call, in its arguments,"
	}
	return fmt.Sprintf("%s repeated the same text %s in a row", what, counted(f.count, "time"))
}

// cutMark stands at the end of what is kept of a response that repeated itself. Of a
// call nothing is kept, so the mark has the copy.
func cutMark(f finding) string {
	what := repeated(f)
	if f.channel == ChannelArguments {
		what += quoted(f.evidence)
	}
	return "[Loopbreaker cut the response off here: " + what + ".]"
}

// cutOff is what the model reads as the result of a call that was cut off with its
// response: the nth of so many, where that is known, the last of which had got so far.
func cutOff(tool string, nth, of, bytes, responses int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Loopbreaker: this call of %s did not run. Your response hit the output limit and was cut off", tool)
	switch {
	case of > 1:
		fmt.Fprintf(&b, " while it wrote the last of its %d calls, %d bytes into that call's arguments; none of the %d ran. ", of, bytes, of)
	case of == 1:
		fmt.Fprintf(&b, ", %d bytes into the arguments of this call. ", bytes)
	default:
		b.WriteString(" before its end, so none of its calls ran. ")
	}
	if nth > 1 {
		b.WriteString("As said above: do not send the same batch again.")
		return b.String()
	}
	b.WriteString("The same batch sent again will be cut off again: do not repeat it. One call by itself, with smaller arguments, " +
		"is fine: write a long file in parts, or change only a part of it, and make the next call when its result is there.")
	if responses > 1 {
		fmt.Fprintf(&b, " This is response %d of this prompt that was cut off.", responses)
	}
	return b.String()
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
	case RuleRejected:
		return fmt.Sprintf("calls of %s were rejected before they ran in %s%s", f.tool, counted(f.count, "response"), quoted(f.evidence))
	case RuleText:
		return repeated(f) + quoted(f.evidence)
	case RuleTruncation:
		return fmt.Sprintf("%s of one prompt hit the output limit and had their calls cut off, the last of %s", counted(f.count, "response"), f.tool)
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

// explanation says what the guard did, the latest first.
func explanation(history []Why) string {
	if len(history) == 0 {
		return "Loopbreaker has done nothing in this session."
	}
	var b strings.Builder
	b.WriteString("What Loopbreaker did, the latest first:")
	for i := len(history) - 1; i >= 0; i-- {
		w := history[i]
		f := finding{rule: w.Rule, tool: w.Tool, count: w.Count, limit: w.Limit, window: w.Window}
		fmt.Fprintf(&b, "\n- %s: %s (rule %s", did(w.Stage), seen(f), w.Rule)
		if w.Limit > 0 {
			fmt.Fprintf(&b, ", due from %d", w.Limit)
		}
		b.WriteByte(')')
	}
	return b.String()
}
