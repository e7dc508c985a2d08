package guard

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/measure"
	"github.com/loopbreaker/loopbreaker/canonical/verdict"
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
	switch f.rule {
	case RuleDuplicate:
		return fmt.Sprintf(refusalPrefix+"the identical %s call is already in this batch. Do not repeat it.", f.tool)
	case RuleStuck:
		return fmt.Sprintf(refusalPrefix+"you have made the identical %s call in each of the last %d turns, and it has shown nothing new. "+
			"You are stuck. Stop, say what you know, and ask the user how to go on.", f.tool, f.count)
	case RuleStreak:
		return fmt.Sprintf(refusalPrefix+"the identical %s call gave the identical result %d times in a row. "+
			"Making it once more will not change that. %s", f.tool, f.count, otherAction)
	case RuleWindow:
		return fmt.Sprintf(refusalPrefix+"the identical %s call was already made %d times among the last %d tool calls. "+
			"Making it once more will not change the result. %s", f.tool, f.count, f.window, otherAction)
	case RuleOccurrences, RuleFailures:
		return measuresRefusal(f)
	case RuleSteering:
		return fmt.Sprintf(refusalPrefix+"%s. Use the tool %s with the whole address: it saves what is there as a file of the workspace, which you can then read or search.", seen(f), f.steered.instead)
	}
	return refusalPrefix + seen(f) + "." + lastResult(f) + " " + advice(f)
}

// lastResult quotes the result in question.
func lastResult(f finding) string {
	if f.quote == "" {
		return ""
	}
	return " Its last result:" + quoted(f.quote) + "."
}

// What refusals begin with: those for what a call means, and all others but
// noToolsNow.
const (
	refusalPrefix  = "Loopbreaker refused this call: "
	measuresPrefix = "REPEAT_TOOL_BLOCKED: "
)

// RefusedByGuard reports whether the result of a call is a refusal of this guard's,
// which is all that a session file tells of one within another call.
func RefusedByGuard(text string) bool {
	return strings.HasPrefix(text, refusalPrefix) || strings.HasPrefix(text, measuresPrefix) || text == noToolsNow
}

// remarkPrefix begins every remark, so that it is known again in a result.
const remarkPrefix = "[Loopbreaker] "

// remark is what the model is told about a call that it may make.
func remark(f finding) string {
	if f.rule == RuleRejected {
		return fmt.Sprintf(remarkPrefix+"Calls of %s were rejected before they ran in %d of your responses%s. The same call fails again. "+
			"Read the error and correct the call (the tool's name, the fields it requires, their types), or use another tool.", f.tool, f.count, quoted(f.quote))
	}
	if f.measure != "" {
		return remarkPrefix + measuresRemark(f)
	}
	if f.rule == RuleStreak {
		return fmt.Sprintf(remarkPrefix+"The identical %s call gave the identical result %d times in a row. Stop repeating it: "+
			"change your strategy, or give your answer with what you know.", f.tool, f.count)
	}
	said := seen(f)
	return remarkPrefix + strings.ToUpper(said[:1]) + said[1:] + "." + lastResult(f) + " " + advice(f)
}

// measuresRemark is what the model is told about a call that was counted by what
// it means.
func measuresRemark(f finding) string {
	name := preview(harmless(string(f.measure)), f.chars)
	switch {
	case f.rule == RuleFailures:
		return fmt.Sprintf("%s has failed %d times in a row; the last time %s. To put the same call in other words will hardly change that. "+
			"Before you try again, say what the error says. If it names a target (an address, a path, a host, a command), check that the target exists. "+
			"If it names a cause, deal with the cause.", name, f.count, f.quote)
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
	fmt.Fprintf(&b, measuresPrefix+"Loopbreaker refused this %s call. It was not run.\n", f.tool)
	b.WriteString(listedMeasures(f))
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
		// Marked line by line: what it says is no word of the guard's.
		fmt.Fprintf(&b, "The last result of such a call began:\n> %s\n", strings.ReplaceAll(harmless(f.gated.quote), "\n", "\n> "))
	} else {
		b.WriteString("The result of the last such call stands further up in this conversation.\n")
	}
	b.WriteString(otherAction)
	return b.String()
}

// askTitle and askMessage are what the operator is asked.
func askTitle(f finding) string {
	return fmt.Sprintf("Loopbreaker: let this %s call run?", named(f.tool))
}

func askMessage(f finding) string {
	f.chars = min(f.chars, quotedLimit) // a dialog is small
	return fmt.Sprintf("It is about to be refused.\n%sYes lets it run, and stops counting this until your next message. "+
		"No refuses all of this until then, without asking again.", listedMeasures(f))
}

// listedMeasures names the measures that a call is held for, a line each.
func listedMeasures(f finding) string {
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
	detail := enclosed(harmless(preview(v.Detail, quotedLimit)))
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
	return says("the error was (%s)", "it failed")
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
// what parses a model's output, like a tool call, or acts on a terminal.
func harmless(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			return r
		case r != '\r' && unicode.IsSpace(r): // without a tab two columns would be one word
			return ' '
		}
		return -1
	}, text)
	return toolMarkup.ReplaceAllString(text, "‹$1")
}

// named is the name of a tool as sentences have it, and findings: a model may call
// what is none.
func named(tool string) string {
	name := []rune(strings.Map(printed, tool))
	if len(name) > quotedLimit {
		return string(name[:quotedLimit]) + "…"
	}
	return string(name)
}

var toolMarkup = regexp.MustCompile(`(?i)(?:<|\[)(/?(?:[\w]*:)?(?:tool_|function|invoke|parameter|\||｜))`)

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

// severalTools stands for the name of a tool where calls of more than one are meant.
const severalTools = "several tools"

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
		what += quoted(f.quote)
	}
	return "[Loopbreaker cut the response off here: " + what + ".]"
}

// cutOff is what the model reads as the result of a call that was cut off with its
// response: the nth of so many, where that is known, the last of which had got so far.
func cutOff(tool string, nth, of, bytes, responses int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Loopbreaker: this call of %s did not run. Your response hit the output limit and was cut off", named(tool))
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
	case RuleRepeat:
		return fmt.Sprintf("this %s call showed the same %s among the last %d calls, with no known change in between", f.tool, counted(f.count, "time"), f.window)
	case RuleStale:
		return fmt.Sprintf("%d of the last %d calls showed only what earlier ones had shown, this %s call among them", f.count, f.window, f.tool)
	case RuleCycle:
		return fmt.Sprintf("the same %d calls have come round %s with the same results, this %s call among them", f.window, counted(f.count, "time"), f.tool)
	case RuleNovelty:
		return fmt.Sprintf("the last %d calls showed nothing that was new, this %s call among them", f.count, f.tool)
	case RuleReapplied:
		return fmt.Sprintf("this %s call was made with success %s in a row, with no other change in between", f.tool, counted(f.count, "time"))
	case RulePolling:
		return fmt.Sprintf("this %s call has waited %s and found the same each time", f.tool, counted(f.count, "time"))
	case RuleOutput:
		return fmt.Sprintf("the last %d calls of %s were all different and had one and the same answer", f.count, f.tool)
	case RuleCounter:
		return fmt.Sprintf("the last %d results of this %s call differ in nothing but their numbers", f.count, f.tool)
	case RuleOccurrences:
		return fmt.Sprintf("%s had come %s among the last %d calls", preview(harmless(string(f.measure)), quotedLimit), counted(f.count, "time"), f.window)
	case RuleFailures:
		return fmt.Sprintf("%s had failed %s in a row", preview(harmless(string(f.measure)), quotedLimit), counted(f.count, "time"))
	case RuleRisk:
		return fmt.Sprintf("this %s call has a loop risk of %d in 100 (%s)", f.tool, f.count, f.parts)
	case RuleSteering:
		if f.steered == nil {
			return fmt.Sprintf("this %s call fetches from the web%s", f.tool, quoted(f.quote))
		}
		return fmt.Sprintf("this %s call fetches from the web with %s%s", f.tool, f.steered.verb, quoted(f.quote))
	case RuleRejected:
		return fmt.Sprintf("calls of %s were rejected before they ran in %s%s", f.tool, counted(f.count, "response"), quoted(f.quote))
	case RuleText:
		return repeated(f) + quoted(f.quote)
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
	first = string(canonical.AppendWithoutEscapes(nil, []byte(first)))
	first = harmless(strings.TrimSpace(strings.Map(printed, first)))
	if len(first) > quotedLimit {
		first = strings.ToValidUTF8(first[:quotedLimit], "") + "…"
	}
	if first == "" {
		return ""
	}
	if first[0] == '(' && strings.IndexByte(first, ')') == len(first)-1 && strings.LastIndexByte(first, '(') == 0 {
		return " " + first
	}
	return " (" + enclosed(first) + ")"
}

// enclosed is a quotation that does not end before its end: a parenthesis that closes
// none of its own would have what follows pass for the guard's words.
func enclosed(text string) string {
	out, open := []byte(text), 0
	for i, c := range out {
		switch {
		case c == '(':
			open++
		case c == ')' && open > 0:
			open--
		case c == ')':
			out[i] = ']'
		}
	}
	return string(out)
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

// Tracing tells the user where the trace is that they did not name.
func Tracing(path string) string { return "Loopbreaker writes a trace to " + path }

// TraceFailed tells the user that the trace was not opened.
func TraceFailed(err error) string {
	return fmt.Sprintf("Loopbreaker cannot write the trace, and guards without it: %v", err)
}

// TraceEnded tells the user that the trace stops before the session does.
func TraceEnded(err error) string {
	return fmt.Sprintf("Loopbreaker stopped tracing, and guards on: %v", err)
}

// Commands are what may follow /loopbreaker, the names of presets last.
func Commands() []string {
	all := []string{"status", "why", "measures", "off", "on", "reset", "settings", "set", "unset", "help"}
	for _, name := range PresetNames() {
		all = append(all, "preset "+name)
	}
	return all
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
		"/loopbreaker settings   the settings to change while a session runs\n" +
		"/loopbreaker set S V    have setting S be V from the next call on, and save it; unset S takes it back\n" +
		"/loopbreaker help       this text"
}

// SettingsTitle and SettingsHint stand above and below the list of settings.
const (
	SettingsTitle = "Loopbreaker's settings; a change holds from the next call on."
	SettingsHint  = "/loopbreaker set SETTING VALUE changes one, unset SETTING takes it back; loopbreaker config shows all."
)

// SettingSaved tells what a setting is now, after a change that a person asked for.
// The file is "" where it holds for the session only, and from says where its
// value is from, "" where it is from that file.
func SettingSaved(setting, value, file, from string) string {
	s := fmt.Sprintf("%s is %s now", setting, value)
	if from != "" {
		s += ", from " + from
	}
	if file == "" {
		return s + "; in this session only, for there is no file to save it in."
	}
	return s + ". Saved in " + file + "."
}

// SettingOverruled tells that a setting is saved, and has no effect here.
func SettingOverruled(setting, value, file, from string) string {
	return fmt.Sprintf("Saved in %s, but %s stays %s in this session: %s is stronger.", file, setting, value, from)
}

// SettingRefused tells why a setting is not changed.
func SettingRefused(err error) string { return fmt.Sprintf("Not saved: %v", err) }

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
		f := finding{rule: w.Rule, tool: w.Tool, count: w.Count, limit: w.Limit, window: w.Window, measure: measure.ID(w.Measure), parts: w.Parts}
		fmt.Fprintf(&b, "\n- %s: %s (rule %s", did(w.Stage), seen(f), w.Rule)
		if w.Limit > 0 {
			fmt.Fprintf(&b, ", due from %d", w.Limit)
		}
		b.WriteByte(')')
	}
	return b.String()
}
