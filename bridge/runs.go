package bridge

import (
	"context"
	"sync"
)

const (
	// maxRunning is how many tools run at once; others wait for their turn.
	maxRunning = 4
	// maxRuns is how many may run or wait.
	maxRuns = 64
)

// runs are the calls of tools that are on their way. Each has a goroutine of its
// own, which knows nothing of the session.
type runs struct {
	ctx     context.Context
	cancel  context.CancelFunc
	running chan struct{}
	wait    sync.WaitGroup

	mu    sync.Mutex
	going map[string]context.CancelFunc // by the id of the call
	ended bool
}

func newRuns() *runs {
	r := &runs{running: make(chan struct{}, maxRunning), going: map[string]context.CancelFunc{}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// start runs work for a call on a goroutine, and then gives its result to answer,
// at a time when the id of the call may be used again. It returns errRunning or
// errBusy where it does not.
func (r *runs) start(call string, work func(context.Context) any, answer func(any)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.going[call] != nil {
		return errRunning
	}
	if len(r.going) >= maxRuns || r.ended {
		return errBusy
	}
	ctx, cancel := context.WithCancel(r.ctx)
	r.going[call] = cancel
	r.wait.Go(func() {
		select {
		case r.running <- struct{}{}:
			defer func() { <-r.running }()
		case <-ctx.Done(): // work sees that by itself
		}
		result := work(ctx)
		cancel()
		r.mu.Lock()
		delete(r.going, call)
		r.mu.Unlock()
		answer(result)
	})
	return nil
}

// stop cancels the run of a call, if there is one.
func (r *runs) stop(call string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.going[call]; cancel != nil {
		cancel()
	}
}

// end cancels all and waits until they have cleared up behind them.
func (r *runs) end() {
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.cancel()
	r.wait.Wait()
}
