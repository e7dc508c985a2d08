package fetch

import (
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxName is how long a file's name may be, in bytes; some file systems end
	// at 143, and a number may have to be put in.
	maxName = 120
	// maxExtension is how much of that an extension may be, its dot included.
	maxExtension = 16
	// fallbackName is for what has no name at all.
	fallbackName = "download"
)

// fileName returns the name for what a server sent: the one asked for, or the
// one the server states, or the last part of the URL's path, or the host.
func fileName(asked string, response *http.Response, mediaType string) string {
	u := response.Request.URL
	for _, name := range []string{asked, stated(response.Header.Get("Content-Disposition")), lastPart(u)} {
		if name = safeName(name); name == "" {
			continue
		}
		if path.Ext(name) == "" {
			name = limited(name + extensions[mediaType])
		}
		return name
	}
	name := safeName(u.Hostname())
	if name == "" {
		name = fallbackName
	}
	return limited(name + extensions[mediaType])
}

// stated returns the file name in a Content-Disposition header.
func stated(header string) string {
	_, params, err := mime.ParseMediaType(header)
	if err != nil {
		return ""
	}
	return params["filename"]
}

// lastPart returns the last part of a URL's path, an encoded slash being none.
func lastPart(u *url.URL) string {
	escaped := strings.TrimRight(u.EscapedPath(), "/")
	part, err := url.PathUnescape(escaped[strings.LastIndexByte(escaped, '/')+1:])
	if err != nil {
		return ""
	}
	return part
}

// safeName returns a name that is one file's in any folder on any system, and
// harmless on a command line: letters, digits and . _ - + = @ , only, beginning
// and ending with a letter or digit, no device of Windows, at most maxName bytes.
// It is "" where nothing is left.
func safeName(name string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(name, "_") {
		if !unicode.In(r, unicode.L, unicode.N, unicode.M) && !strings.ContainsRune("._-+=@,", r) {
			r = '_'
		}
		if r == '_' && strings.HasSuffix(b.String(), "_") {
			continue
		}
		b.WriteRune(r)
	}
	name = limited(strings.TrimFunc(b.String(), edge))
	stem, _, _ := strings.Cut(name, ".")
	if devices[strings.ToUpper(stem)] {
		name = limited("file_" + name)
	}
	return name
}

// edge reports whether no name begins or ends with r: it would hide the file,
// pass for an option, or attach to what stands before it.
func edge(r rune) bool { return strings.ContainsRune("._-+=@,", r) || unicode.Is(unicode.M, r) }

// limited shortens a name to maxName bytes; its extension stays if it is short.
func limited(name string) string {
	if len(name) <= maxName {
		return name
	}
	extension := path.Ext(name)
	if len(extension) > maxExtension {
		extension = ""
	}
	stem := name[:maxName-len(extension)]
	for !utf8.ValidString(stem) {
		stem = stem[:len(stem)-1]
	}
	return strings.TrimRightFunc(stem, edge) + extension
}

// devices are names that Windows takes for a device, whatever follows a dot.
var devices = func() map[string]bool {
	all := map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true, "CLOCK$": true}
	for _, n := range "0123456789¹²³" {
		all["COM"+string(n)], all["LPT"+string(n)] = true, true
	}
	return all
}()

// extensions are for names that have none. The tables of the system would name
// one file differently on two machines.
var extensions = map[string]string{
	"application/atom+xml":   ".xml",
	"application/gzip":       ".gz",
	"application/javascript": ".js",
	"application/json":       ".json",
	"application/ld+json":    ".json",
	"application/pdf":        ".pdf",
	"application/rss+xml":    ".xml",
	"application/xhtml+xml":  ".html",
	"application/xml":        ".xml",
	"application/yaml":       ".yaml",
	"application/zip":        ".zip",
	"image/gif":              ".gif",
	"image/jpeg":             ".jpg",
	"image/png":              ".png",
	"image/svg+xml":          ".svg",
	"image/webp":             ".webp",
	"text/css":               ".css",
	"text/csv":               ".csv",
	"text/html":              ".html",
	"text/javascript":        ".js",
	"text/markdown":          ".md",
	"text/plain":             ".txt",
	"text/xml":               ".xml",
}
