package repetition_test

import (
	"fmt"

	"github.com/loopbreaker/loopbreaker/canonical/repetition"
)

func ExampleDetector() {
	// Ten copies are too many, whatever they are of.
	d := repetition.NewDetector(func(repetition.Unit) int { return 10 })
	d.WriteString("Let me see:\n")
	for n := 1; ; n++ {
		if run := d.WriteString("I will look at the file. "); run != nil {
			fmt.Printf("after %d: %q from %d on\n", n, run.Unit, run.Start)
			return
		}
	}
	// Output: after 10: "I will look at the file. " from 12 on
}
