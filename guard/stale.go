package guard

// staleCalls counts, among the last calls, those that showed what they had shown
// before. It sees repeats, alternations and cycles of any period in one number,
// and probes that are each made twice.
type staleCalls struct {
	marks ring[bool]
	n     int
	told  bool // whether the model was told since it last was below the limit
}

func (t *staleCalls) add(stale bool) {
	if stale {
		t.n++
	}
	if old, full := t.marks.push(stale); full && old {
		t.n--
	}
}

// halve forgets the older half, for a change makes old evidence worth less.
func (t *staleCalls) halve() {
	drop := t.n - t.n/2
	for i := len(t.marks.values) - 1; drop > 0; i-- {
		if mark := t.marks.back(i); *mark {
			*mark = false
			t.n--
			drop--
		}
	}
}

// call refuses one more stale call among many (ours). A call that only looks is
// refused from its third look on: after a change of plan a model needs a second.
func (s Stale) call(e Evidence, l *looks, a *action) *finding {
	k := a.seen
	if s.Block == 0 || !k.unchanged(l, &a.meaning) || l.stale.n < s.Block || a.meaning.polls || a.meaning.effect == looksOnly && k.same < s.Looks {
		return nil
	}
	return k.finding(a, &finding{rule: RuleStale, stage: StageBlock, count: l.stale.n, limit: s.Block, window: e.Calls})
}

// result counts a result, and speaks as the tally reaches the limit.
func (s Stale) result(e Evidence, l *looks, a *action) *finding {
	t := &l.stale
	t.add(a.repeats && !a.meaning.polls)
	switch {
	case t.n < s.Note:
		t.told = false
	case s.Note > 0 && !t.told && a.repeats:
		t.told = true
		return a.look.finding(a, &finding{rule: RuleStale, stage: StageNote, count: t.n, limit: s.Note, window: e.Calls})
	}
	return nil
}
