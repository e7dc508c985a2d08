package guard

// cutShort ends the run at once for a response that repeats itself. What the model is
// then asked follows with the end of the turn.
func (l *ladder) cutShort(f finding) Decision {
	l.ending, l.ended = f, true
	return Decision{Abort: &Abort{Told: ended(f, l.refusals)}, Why: l.record(f)}
}

// recovers reports whether the model gets one more turn when the run is ended now.
func (l *ladder) recovers(p Ladder) bool { return p.Recover && !l.recovered }

// afterCut gives the model that turn. The rest has been said.
func (l *ladder) afterCut(p Ladder, f finding) Decision {
	d := Decision{Abort: &Abort{}}
	if l.recovers(p) {
		l.recovering, l.recovered = true, true
		d.Abort.Recovery = recovery(f)
	}
	return d
}
