package guard

// Preset is the numbers a session goes by. This file is the only place where
// they stand.
type Preset struct {
	// Name is what the preset is called on the command line and on the wire.
	Name string
	// Window refuses a call that is already frequent.
	Window Window
}

// WindowPreset is the system `window`, exactly. Twenty and five are from its
// incident record: the run that made 245 of 261 calls with one `ls -R` is cut
// at the sixth, and accepted runs, which repeat a call up to four times within
// twenty, stay untouched.
var WindowPreset = Preset{
	Name:   "window",
	Window: Window{Calls: 20, Repeats: 5},
}
