// Program: generates the SDK of a plugin for a language, as `pulumi package add` does with the language hosts that Pulumi
// installs. The hosts that build from Go modules are older, and cannot generate.
//
// Usage: `generate-sdk python|go SCHEMA FOLDER`
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: generate-sdk python|go SCHEMA FOLDER"))
	}
	language, schemaFile, folder := os.Args[1], os.Args[2], os.Args[3]
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		fail(err)
	}
	files, err := generate(language, text)
	if err != nil {
		fail(err)
	}
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			fail(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			fail(err)
		}
	}
}

func generate(language string, text []byte) (map[string][]byte, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	// podlumi's schema refers to no other package, so there is nothing to load.
	loader := schema.NewCachedLoader(nil)
	bound, problems, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	// Warnings count too.
	if len(problems) > 0 {
		return nil, problems
	}
	bound.SupportPack = true // as `pulumi package add`
	switch language {
	case "python":
		return python.GeneratePackage("pulumi-language-python", bound, nil, loader)
	case "go":
		return gen.GeneratePackage("pulumi-language-go", bound, nil)
	default:
		return nil, fmt.Errorf("no generator for %s", language)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
