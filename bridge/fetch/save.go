package fetch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Names of files that are being written. A process that is killed leaves its
// one behind; the next fetch into the folder clears it away once it is stale.
const (
	partPrefix = ".loopbreaker-"
	partSuffix = ".part"
	staleAfter = 24 * time.Hour // no fetch may take nearly as long
)

// maxCopies is how many files of one name there may be.
const maxCopies = 1000

// save writes a body to a new file of about that name. It returns its path,
// relative to the workspace, and its length.
func (l Limits) save(body io.Reader, name string) (saved string, n int64, err error) {
	// All that follows goes through the folder that is open here: no link and no
	// name leads out of it.
	workspace, err := os.OpenRoot(l.Workspace)
	if err != nil {
		return "", 0, fmt.Errorf("opening the workspace: %w", err)
	}
	defer workspace.Close()
	if err := workspace.MkdirAll(filepath.FromSlash(l.Folder), 0o755); err != nil {
		return "", 0, fmt.Errorf("making the folder: %w", err)
	}
	folder, err := workspace.OpenRoot(filepath.FromSlash(l.Folder))
	if err != nil {
		return "", 0, fmt.Errorf("opening the folder: %w", err)
	}
	defer folder.Close()
	clearStale(folder)

	part := partPrefix + rand.Text() + partSuffix
	file, err := folder.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return "", 0, fmt.Errorf("creating a file: %w", err)
	}
	named := false
	defer func() { // a panic comes by here too
		if !named {
			file.Close()
			folder.Remove(part)
		}
	}()
	n, err = io.Copy(file, io.LimitReader(body, l.MaxBytes+1))
	switch {
	case err != nil:
		return "", 0, fmt.Errorf("receiving: %w", err)
	case n > l.MaxBytes:
		return "", 0, &TooLargeError{MaxBytes: l.MaxBytes}
	}
	if err := file.Close(); err != nil {
		return "", 0, fmt.Errorf("writing: %w", err)
	}
	name, err = rename(folder, part, name)
	if err != nil {
		return "", 0, fmt.Errorf("naming the file: %w", err)
	}
	named = true
	return path.Join(l.Folder, name), n, nil
}

// rename gives a part the name, or that name with -2, -3 and so on where it is
// taken. Never does it take the place of another file: the name is first taken
// by an empty file of our own.
func rename(folder *os.Root, part, name string) (string, error) {
	extension := path.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	for n := 1; n <= maxCopies; n++ {
		free := name
		if n > 1 {
			free = fmt.Sprintf("%s-%d%s", stem, n, extension)
		}
		file, err := folder.OpenFile(free, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		file.Close()
		if err := folder.Rename(part, free); err != nil {
			folder.Remove(free)
			return "", err
		}
		return free, nil
	}
	return "", fmt.Errorf("there are %d files called %s already", maxCopies, name)
}

// clearStale removes what killed processes left. It is no reason to fail.
func clearStale(folder *os.Root) {
	entries, err := fs.ReadDir(folder.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), partPrefix) || !strings.HasSuffix(e.Name(), partSuffix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleAfter {
			folder.Remove(e.Name())
		}
	}
}
