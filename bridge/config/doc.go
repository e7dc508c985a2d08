// Package config reads what a session is configured with: files, environment
// and flags, on top of a preset. It also changes the user's file, for a person who
// wants a setting to be another (save.go).
//
// One table (table.go) lists the settings. Everything else follows from it: the
// loader, the names of the environment, the JSON Schema in shim/schema.json,
// what `loopbreaker config` prints and the tables in SETTINGS.md and the README. A
// setting is one row.
//
// The package holds no number of the policy: those are the guard's.
package config

//go:generate go test -run TestGenerated -update .
