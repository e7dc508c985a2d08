package command

import (
	"iter"
	"maps"
	"strings"
)

// grammar says how the words of one program divide into options and operands, and
// which of its options are volatile: they say how patiently or how loudly, never what.
type grammar struct {
	short         string // letters that take a value
	long          string // long names that take a value, each between blanks
	volatileShort string // letters
	volatileLong  string // long names, each between blanks; curl's --retry covers no --retry-delay
	// cmdlet: one dash begins a long name, of any case (PowerShell).
	cmdlet bool
}

// option is one option of a command, or an operand, which has no name.
type option struct {
	name     string // without dashes: "o", "output"
	long     bool
	word     int // index of its word
	value    Word
	valued   bool
	separate bool // the value is the next word
}

func listed(list, name string) bool {
	if name == "" || list == "" {
		return false
	}
	for {
		i := strings.Index(list, name)
		if i < 0 {
			return false
		}
		if i > 0 && list[i-1] == ' ' && i+len(name) < len(list) && list[i+len(name)] == ' ' {
			return true
		}
		list = list[i+1:]
	}
}

// options divides the words after the command word.
func (g *grammar) options(words []Word) iter.Seq[option] {
	return func(yield func(option) bool) {
		for i := 1; i < len(words); i++ {
			t := words[i].Text
			o := option{word: i}
			next := func() {
				if i+1 < len(words) {
					i++
					o.value, o.valued, o.separate = words[i], true, true
				}
			}
			switch {
			case g.cmdlet && len(t) > 1 && t[0] == '-':
				o.name, o.long = strings.ToLower(t[1:]), true
				if k := strings.IndexByte(o.name, ':'); k >= 0 {
					o.name, o.value, o.valued = o.name[:k], Word{t[k+2:], words[i].Literal}, true
				} else if listed(g.long, o.name) {
					next()
				}
				if !yield(o) {
					return
				}
			case t == "--":
				for i++; i < len(words); i++ {
					if !yield(option{word: i, value: words[i], valued: true}) {
						return
					}
				}
			case len(t) > 2 && t[0] == '-' && t[1] == '-':
				o.name, o.long = t[2:], true
				if k := strings.IndexByte(t, '='); k >= 0 {
					o.name, o.value, o.valued = t[2:k], Word{t[k+1:], words[i].Literal}, true
				} else if listed(g.long, o.name) {
					next()
				}
				if !yield(o) {
					return
				}
			case len(t) > 1 && t[0] == '-':
				word := words[i]
				for k := 1; k < len(t); k++ {
					if !word.Literal && (t[k] == '$' || t[k] == '`') {
						break // nobody knows which letters these are
					}
					o := option{word: o.word, name: t[k : k+1]}
					if strings.IndexByte(g.short, t[k]) >= 0 {
						if k+1 < len(t) {
							o.value, o.valued = Word{t[k+1:], word.Literal}, true
						} else if i+1 < len(words) {
							i++
							o.value, o.valued, o.separate = words[i], true, true
						}
						k = len(t)
					}
					if !yield(o) {
						return
					}
				}
			default:
				o.value, o.valued = words[i], true
				if !yield(o) {
					return
				}
			}
		}
	}
}

// edit changes a word when volatile options are taken out; an empty text drops it.
type edit struct {
	word int
	text string
}

// edits says what is left of the words without their volatile options.
func (g *grammar) edits(words []Word) []edit {
	if g.volatileShort == "" && g.volatileLong == "" {
		return nil
	}
	var edits []edit
	var kept []byte
	cluster, removed := 0, false
	flush := func() {
		if cluster > 0 && removed {
			if len(kept) == 1 {
				edits = append(edits, edit{word: cluster})
			} else if words[cluster].Literal {
				edits = append(edits, edit{cluster, string(kept)})
			}
		}
		cluster, removed = 0, false
	}
	for o := range g.options(words) {
		if o.word != cluster {
			flush()
		}
		switch {
		case o.name == "":
		case o.long:
			if listed(g.volatileLong, o.name) {
				edits = append(edits, edit{word: o.word})
				if o.separate {
					edits = append(edits, edit{word: o.word + 1})
				}
			}
		default:
			if cluster == 0 {
				cluster, kept = o.word, append(kept[:0], '-')
			}
			if strings.Contains(g.volatileShort, o.name) {
				removed = true
				if o.separate {
					// The letters before are settled, since a value ends the cluster.
					flush()
					edits = append(edits, edit{word: o.word + 1})
				}
				continue
			}
			kept = append(kept, o.name...)
			if o.valued && !o.separate {
				kept = append(kept, o.value.Text...)
			}
		}
	}
	flush()
	return edits
}

// joined is the grammar of a program whose options are not known: enough for its
// operands where values are joined or options come last.
var joined = &grammar{}

var grammars = map[string]*grammar{
	"curl": {
		short: "AbCcDdEeFHhKmoPQrTtUuwXxYyz",
		long: " abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout " +
			"connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary " +
			"data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url " +
			"dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account " +
			"ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip " +
			"header hostpubmd5 hostpubsha256 hsts interface ipfs-gateway json keepalive-cnt keepalive-time key " +
			"key-type krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize " +
			"max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max pass pinnedpubkey " +
			"postquote preproxy prequote proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert " +
			"proxy-cert-type proxy-ciphers proxy-header proxy-key proxy-pass proxy-user proxy1.0 pubkey quote " +
			"random-file range rate referer request request-target resolve retry retry-delay retry-max-time " +
			"sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit " +
			"speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword " +
			"tlsuser trace trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable " +
			"vlan-priority write-out ",
		volatileShort: "sSLfmNyY#46",
		volatileLong: " silent show-error location fail fail-with-body max-time connect-timeout retry retry-delay " +
			"retry-max-time retry-connrefused retry-all-errors speed-limit speed-time keepalive-time no-keepalive " +
			"no-buffer progress-bar no-progress-meter compressed ipv4 ipv6 happy-eyeballs-timeout-ms max-redirs " +
			"expect100-timeout limit-rate ",
	},
	"wget": {
		short: "OoaPtTeiBDARIXUlwQ",
		long: " output-document output-file append-output directory-prefix tries timeout dns-timeout connect-timeout " +
			"read-timeout wait waitretry execute input-file base user-agent header post-data post-file method body-data " +
			"body-file user password http-user http-password proxy-user proxy-password level domains exclude-domains " +
			"accept reject include-directories exclude-directories quota limit-rate referer load-cookies save-cookies " +
			"ca-certificate certificate private-key cut-dirs progress bind-address default-page start-pos ",
		volatileShort: "qvTt46nw",
		volatileLong: " quiet verbose no-verbose tries timeout dns-timeout connect-timeout read-timeout wait waitretry " +
			"retry-connrefused retry-on-http-error show-progress progress inet4-only inet6-only limit-rate ",
	},
	"aria2c": {
		short: "oditjkmUxslZ",
		long: " out dir input-file timeout connect-timeout max-tries retry-wait split max-connection-per-server " +
			"header referer user-agent load-cookies log max-concurrent-downloads ",
		volatileShort: "qtm", volatileLong: " quiet timeout connect-timeout max-tries retry-wait console-log-level summary-interval ",
	},
	"http": {
		short: "oapsA", long: " output auth auth-type session session-read-only proxy timeout verify cert cert-key print style " +
			"pretty max-redirects format-options response-mime response-charset boundary raw ",
		volatileShort: "qF", volatileLong: " quiet timeout follow max-redirects pretty style ",
	},
	"lynx":  {long: " width connect_timeout read_timeout useragent "},
	"w3m":   {short: "oTIO"},
	"links": {},
	"invoke-webrequest": {
		cmdlet: true,
		long: " uri outfile method headers body contenttype timeoutsec maximumredirection maximumretrycount " +
			"retryintervalsec useragent websession sessionvariable credential proxy infile form token authentication " +
			"erroraction connectiontimeoutseconds operationtimeoutseconds ",
		volatileLong: " timeoutsec maximumretrycount retryintervalsec usebasicparsing connectiontimeoutseconds " +
			"operationtimeoutseconds ",
	},
	"ssh": {short: "BbcDEeFIiJLlmOopPQRSWw", volatileShort: "q"},
	"pip": {
		long:          " timeout retries default-timeout progress-bar requirement index-url extra-index-url constraint target ",
		short:         "rict",
		volatileShort: "q", volatileLong: " quiet timeout retries default-timeout progress-bar no-input disable-pip-version-check ",
	},
	"go":   {short: "o"},
	"sort": {short: "okStT", long: " output key buffer-size field-separator temporary-directory parallel "},
}

// sameGrammar are programs that read their words as another does.
var sameGrammar = map[string]string{
	"https": "http", "httpie": "http", "xh": "http", "xhs": "http", "curlie": "curl", "pip3": "pip", "elinks": "links",
	"iwr": "invoke-webrequest", "irm": "invoke-webrequest", "invoke-restmethod": "invoke-webrequest",
	"start-bitstransfer": "invoke-webrequest",
}

// grammarOf returns how a program divides its words, or nil if that is not known.
func grammarOf(name string) *grammar {
	name = program(name)
	if strings.IndexByte(name, '-') > 0 || len(name) == 3 { // cmdlets and their aliases know no case
		name = strings.ToLower(name)
	}
	return allGrammars[name]
}

var allGrammars = func() map[string]*grammar {
	all := maps.Clone(grammars)
	for name, other := range sameGrammar {
		all[name] = grammars[other]
	}
	return all
}()
