package guard

import "fmt"

// Every sentence the guard shows to a model or a person stands in this file.

// repeatedInWindow refuses a call. It gives the count in the window and does
// not claim the repeats were consecutive: they need not have been.
func repeatedInWindow(tool string, repeats, window int) string {
	return fmt.Sprintf("Loopbreaker refused this call: the identical %s call was already made %d times among the last %d tool calls. "+
		"Making it once more will not change the result. "+
		"Use what those results have already told you and take a different concrete action.",
		tool, repeats, window)
}

// TraceFailed tells the user that the trace was not opened.
func TraceFailed(err error) string {
	return fmt.Sprintf("Loopbreaker cannot write the trace, and guards without it: %v", err)
}

// TraceEnded tells the user that the trace stops before the session does.
func TraceEnded(err error) string {
	return fmt.Sprintf("Loopbreaker stopped tracing, and guards on: %v", err)
}
