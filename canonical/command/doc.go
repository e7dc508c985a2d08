// Package command says what a shell command means.
//
// One call of [Parse] reads a command text; everything else is a question to the
// [Script] it returns, so that all analyses share one parse:
//
//	s := command.Parse(text)
//	s.Commands      // every simple command that would run, wrappers taken off
//	s.Verb()        // name of the first of them: "curl"
//	s.Canonical()   // one spelling for all cosmetic variants of the command
//	s.Text()        // one spelling, but nothing left out
//	s.Sinks()       // the files it writes by redirection, -o, tee or dd
//	s.Fetches()     // the simple commands that run a fetch, with their addresses
//	s.AsksStatus()  // whether curl was asked to print the HTTP status
//	s.Effect()      // Looks, Waits, Checks or Changes
//	s.Awaits()      // whether it returns when something has come about
//	s.Sleep()       // how long it sleeps, where the text says so
//
// Nothing here fails: a text that is no shell is split by words and operators
// ([Script.Guessed]). The cost is linear in the length of the text, whatever it holds.
// PowerShell and cmd.exe are recognised by cheap signs and split the same way.
//
// The package is pure: no I/O, no clock, no thresholds. It does not judge addresses:
// what is the same address, and what is local, is the address package's to say.
package command
