package replay

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// recordingsFolder is where real recordings are, if they are at hand.
func recordingsFolder() string {
	if folder := os.Getenv("LOOPBREAKER_RECORDINGS"); folder != "" {
		return folder
	}
	return "../../../shared/recordings"
}

// recordings unpacks some folders of the recordings, or all, and skips the test where
// there are none.
func recordings(t *testing.T, folders ...string) (unpacked string) {
	t.Helper()
	archive, err := filepath.Abs(filepath.Join(recordingsFolder(), "recordings.tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(archive); err != nil {
		t.Skip("no recordings in ", recordingsFolder())
	}
	unpacked = t.TempDir()
	if out, err := exec.Command("tar", append([]string{"-xf", archive, "-C", unpacked}, folders...)...).CombinedOutput(); err != nil {
		t.Skip("tar cannot unpack them: ", string(out))
	}
	return unpacked
}
