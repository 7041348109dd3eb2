//go:build tools

// Package tools imports the program that go.mod pins, so that `go mod tidy` keeps it there.
package tools

import _ "github.com/johannesboyne/gofakes3/cmd/gofakes3"
