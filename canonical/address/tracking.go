package address

// trackingPrefixes and trackingNames are query parameters that say where a
// visitor came from and that no server chooses its answer by, in lower case.
//
// Parameters that often do choose something are not among them, though trackers
// use them too: ref (a branch on code hosts), source, id, si, tag, cid. Nor are
// parameters that only defeat caches (_, t, cb): what is fetched anew with each
// of them is for `host` to count.
var (
	trackingPrefixes = []string{
		"utm_",    // Google Analytics campaigns, and everybody since
		"mtm_",    // Matomo campaigns
		"matomo_", // the same
		"piwik_",  // the same under its old name
		"_hs",     // HubSpot: _hsenc, _hsmi
		"__hs",    // HubSpot: __hstc, __hssc, __hsfp
	}
	trackingNames = map[string]bool{
		"_ga":               true, // Google Analytics, between domains
		"_gl":               true, // the same
		"gclid":             true, // Google Ads click
		"gclsrc":            true, // Google Ads click, its source
		"dclid":             true, // Google Display click
		"gbraid":            true, // Google Ads, from an app
		"wbraid":            true, // Google Ads, to an app
		"gad_source":        true, // Google Ads
		"gad_campaignid":    true, // Google Ads
		"srsltid":           true, // Google Shopping result
		"fbclid":            true, // Facebook click
		"igsh":              true, // Instagram share
		"igshid":            true, // Instagram share
		"msclkid":           true, // Microsoft Ads click
		"twclid":            true, // Twitter click
		"ttclid":            true, // TikTok click
		"li_fat_id":         true, // LinkedIn click
		"epik":              true, // Pinterest click
		"rdt_cid":           true, // Reddit click
		"sccid":             true, // Snapchat click
		"yclid":             true, // Yandex click
		"ysclid":            true, // Yandex search click
		"_openstat":         true, // Yandex
		"pk_campaign":       true, // Matomo under its old name
		"pk_kwd":            true, // the same
		"pk_keyword":        true, // the same
		"pk_source":         true, // the same
		"pk_medium":         true, // the same
		"pk_content":        true, // the same
		"oly_enc_id":        true, // Omeda mail
		"oly_anon_id":       true, // Omeda mail
		"vero_id":           true, // Vero mail
		"vero_conv":         true, // Vero mail
		"mc_cid":            true, // Mailchimp campaign
		"mc_eid":            true, // Mailchimp reader
		"mkt_tok":           true, // Marketo mail
		"hsctatracking":     true, // HubSpot call to action
		"irclickid":         true, // Impact click
		"wickedid":          true, // Wicked Reports
		"s_kwcid":           true, // Adobe keyword
		"s_cid":             true, // Adobe campaign
		"ef_id":             true, // Adobe advertising
		"guce_referrer":     true, // Yahoo consent
		"guce_referrer_sig": true, // Yahoo consent
	}
)

// longestTracking is the length of the longest name above; longer names are
// looked at for prefixes only.
const longestTracking = len("guce_referrer_sig")

// isTracking reports whether the parameter of that name serves tracking. Case
// does not matter.
func isTracking(name []byte) bool {
	var few [longestTracking]byte
	lower := few[:copy(few[:], name)]
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c | 0x20
		}
	}
	for _, prefix := range trackingPrefixes {
		if len(lower) > len(prefix) && string(lower[:len(prefix)]) == prefix {
			return true
		}
	}
	return len(name) <= longestTracking && trackingNames[string(lower)]
}
