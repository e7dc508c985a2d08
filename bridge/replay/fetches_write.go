package replay

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

// verdictWords say to a person what a verdict means for an exemption that is not
// made, and for one that is.
var verdictWords = map[Verdict][2]string{
	Unnamable: {"cannot be named in the setting", "cannot be left out of the setting"},
	Needless:  {"no: nothing would change", "changes nothing here"},
	Bypass:    {"no: fetches by others would pass with it", "fetches by others pass with it"},
	Fetching:  {"no: it would let its own fetches pass", "lets its own fetches pass"},
	Harmless:  {"may be: what would pass fetches nothing", "what passes fetches nothing"},
}

// WriteFetches writes tables: the totals, the programs, and what each exemption
// would change.
func WriteFetches(out io.Writer, f Fetches) error {
	t := f.Totals
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range []struct {
		count int
		of    string
	}{
		{t.Calls, fmt.Sprintf("calls of a shell, in %d sessions", t.Sessions)},
		{t.Remote, "with a remote address, or a fetch of one"},
		{t.Refused, "refused for a fetch, with web_fetch_file on offer"},
		{t.Fetching, "  run a downloader, or code that makes a request"},
		{t.Incidental, "  run neither"},
		{t.Unwritten, "  do not write out what they fetch"},
	} {
		fmt.Fprintf(w, "%d\t  %s\n", line.count, line.of)
	}
	if len(f.Programs) == 0 {
		return w.Flush()
	}
	fmt.Fprintln(w, "\nsegments\tcalls\tfetched\tmentioned\texempt\t  program")
	for _, p := range f.Programs {
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\t  %s\n", p.Segments, p.Calls, orDash(p.Fetched), orDash(p.Mentioned), yesOrDash(p.Exempt), shortened(p.Program, nameWidth))
	}
	if err := w.Flush(); err != nil || len(f.Exemptions) == 0 {
		return err
	}
	fmt.Fprintln(out, "\nCalls that pass if a program is exempt, and which of them fetch, by it and by others:")
	fmt.Fprintln(w, "pass\tit fetches\tothers\texempt\t  program\t  verdict")
	for _, e := range f.Exemptions {
		words := verdictWords[e.Verdict][0]
		if e.Exempt {
			words = verdictWords[e.Verdict][1]
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t  %s\t  %s\n", orDash(e.Passes), orDash(e.ItFetches), orDash(e.OthersFetch), yesOrDash(e.Exempt), shortened(e.Program, nameWidth), words)
	}
	return w.Flush()
}

func yesOrDash(yes bool) string {
	if yes {
		return "yes"
	}
	return "-"
}

// WriteFetchesJSON writes them as JSON: an object {"total":…}, then {"program":…} a
// program and {"exemption":…} an exemption, one a line.
func WriteFetchesJSON(out io.Writer, f Fetches) error {
	err := WriteJSON(out, map[string]any{"total": f.Totals})
	for _, p := range f.Programs {
		err = errors.Join(err, WriteJSON(out, map[string]any{"program": p}))
	}
	for _, e := range f.Exemptions {
		err = errors.Join(err, WriteJSON(out, map[string]any{"exemption": e}))
	}
	return err
}
