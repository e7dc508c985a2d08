package bridge

import (
	"testing"

	"go.uber.org/goleak"
)

// No test leaves a goroutine behind, so neither does Serve, however a connection
// ends.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
