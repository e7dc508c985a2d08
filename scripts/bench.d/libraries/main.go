// Libraries is the guard without the guard: every library that it is made of, each
// used once as the guard does, and not a line of its own. It answers what it is
// asked with what it was told, and remembers nothing. What it weighs, holds and
// grows by, no change of the guard's own code can save.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
	"github.com/sourcegraph/jsonrpc2"
	"github.com/spf13/pflag"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/mod/semver"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"mvdan.cc/sh/v3/syntax"
)

// params are those of every message.
type params struct {
	ToolCallID string         `json:"toolCallId,omitempty"`
	Input      map[string]any `json:"input,omitempty"`
	Content    []any          `json:"content,omitempty"`
}

type stdio struct{ io.Reader }

func (stdio) Write(p []byte) (int, error) { return os.Stdout.Write(p) }
func (stdio) Close() error                { return os.Stdin.Close() }

func main() {
	flags := pflag.NewFlagSet("libraries", pflag.ContinueOnError)
	var level zerolog.Level
	flags.TextVar(&level, "log-level", zerolog.WarnLevel, "log from `LEVEL` up")
	all := flags.String("all", "", "use every other library too, on a `TEXT`")
	if err := flags.Parse(os.Args[1:]); err != nil {
		fmt.Fprint(os.Stderr, err, flags.FlagUsagesWrapped(80))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *all != "" {
		use(ctx, *all)
		return
	}
	debug.SetGCPercent(40) // as main.go of the guard does
	log := zerolog.New(os.Stderr).Level(level).With().Timestamp().Logger()
	handler := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		var p params
		if r.Params == nil {
			return p, nil
		}
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			log.Error().Err(err).Msg(r.Method)
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
		text, err := json.Marshal(params{ToolCallID: p.ToolCallID})
		return string(text), err
	})
	<-jsonrpc2.NewConn(ctx, jsonrpc2.NewPlainObjectStream(stdio{os.Stdin}), handler).DisconnectNotify()
}

// use does something with each library that a guard needs now and then.
func use(ctx context.Context, text string) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err == nil {
		syntax.Walk(file, func(syntax.Node) bool { return true })
		err = syntax.NewPrinter(syntax.SingleLine(true)).Print(os.Stdout, file)
	}
	host, bad := idna.New(idna.MapForLookup(), idna.BidiRule()).ToASCII(text)
	suffix, _ := publicsuffix.PublicSuffix(host)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, err, bad, suffix, html.EscapeString(text), semver.Compare(text, host), isatty.IsTerminal(os.Stdout.Fd()))
	fmt.Fprintln(table, regexp.MustCompile(text).FindAllString(host, -1), table.Flush())

	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	client := http.Client{Jar: jar, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{}}}
	if answer, err := client.Get(text); err == nil {
		answer.Body.Close()
	}
	fmt.Fprintln(table, exec.CommandContext(ctx, text).Run())

	bars := mpb.New(mpb.WithOutput(os.Stderr))
	bars.AddBar(1, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.Name("playing ")),
		mpb.AppendDecorators(decor.CountersKibiByte("% .1f / % .1f"), decor.AverageETA(decor.ET_STYLE_GO))).Increment()
	bars.Shutdown()
}
