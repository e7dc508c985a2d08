package guard

// The rules that go by evidence, in one row each for a call and for a result.

func (p *Policy) evidenceCall(l *looks, a *action) *finding {
	if !p.Evidence.on() {
		return nil
	}
	return strongest(
		p.Repeat.call(p.Evidence, l, a),
		p.Stale.call(p.Evidence, l, a),
		p.Cycle.call(l, a),
		p.Novelty.call(l, a),
		p.Reapplied.call(l, a),
		p.Polling.call(l, a),
		p.Output.call(l, a),
		p.Counter.call(l, a),
	)
}

func (p *Policy) evidenceResult(l *looks, a *action, e evidence) *finding {
	if !p.Evidence.on() {
		return nil
	}
	return strongest(
		p.Repeat.result(p.Evidence, l, a),
		p.Stale.result(p.Evidence, l, a),
		p.Cycle.result(l, a, e),
		p.Novelty.result(l, a),
		p.Reapplied.result(l, a, e),
		p.Polling.result(a),
		p.Output.result(l, a, e),
		p.Counter.result(a),
	)
}
