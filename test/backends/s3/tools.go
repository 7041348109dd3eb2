//go:build tools

// Package tools names the program that go.mod pins, so that Go keeps it there.
package tools

import _ "github.com/johannesboyne/gofakes3/cmd/gofakes3"
