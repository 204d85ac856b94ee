package envtest

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// BenchmarkStart measures how long a suite waits for its servers.
func BenchmarkStart(b *testing.B) {
	start(b, nil)
}

// BenchmarkStartWithDefinitions also installs as many CRDs as KubeFleet has.
func BenchmarkStartWithDefinitions(b *testing.B) {
	start(b, manyDefinitions(36))
}

func start(b *testing.B, definitions []*apiextensionsv1.CustomResourceDefinition) {
	for b.Loop() {
		environment := &envtest.Environment{CRDInstallOptions: envtest.CRDInstallOptions{CRDs: definitions}}
		if _, err := environment.Start(); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := environment.Stop(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func manyDefinitions(count int) []*apiextensionsv1.CustomResourceDefinition {
	definitions := make([]*apiextensionsv1.CustomResourceDefinition, count)
	for at := range definitions {
		singular, kind := fmt.Sprintf("crate%d", at), fmt.Sprintf("Crate%d", at)
		definitions[at] = &apiextensionsv1.CustomResourceDefinition{
			ObjectMeta: metav1.ObjectMeta{Name: singular + "s.harbor.example.com"},
			Spec: apiextensionsv1.CustomResourceDefinitionSpec{
				Group: "harbor.example.com",
				Scope: apiextensionsv1.NamespaceScoped,
				Names: apiextensionsv1.CustomResourceDefinitionNames{
					Kind: kind, ListKind: kind + "List", Plural: singular + "s", Singular: singular,
				},
				Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
					Name: "v1", Served: true, Storage: true,
					Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: crateSchema()},
				}},
			},
		}
	}
	return definitions
}

// crateSchema has some hundred fields, described at the length that generators write, and a rule for every part.
func crateSchema() *apiextensionsv1.JSONSchemaProps {
	parts := map[string]apiextensionsv1.JSONSchemaProps{}
	for part := range 10 {
		fields := map[string]apiextensionsv1.JSONSchemaProps{}
		for field := range 10 {
			fields[fmt.Sprintf("field%d", field)] = apiextensionsv1.JSONSchemaProps{
				Type:        "string",
				MaxLength:   new(int64(63)),
				Description: "A field of a crate, which says what is in it, where it comes from and where it is meant to go.",
			}
		}
		parts[fmt.Sprintf("part%d", part)] = apiextensionsv1.JSONSchemaProps{
			Type:       "object",
			Properties: fields,
			XValidations: apiextensionsv1.ValidationRules{
				{Rule: "!has(self.field0) || !has(self.field1) || self.field0 != self.field1", Message: "field0 and field1 differ"},
			},
		}
	}
	return &apiextensionsv1.JSONSchemaProps{
		Type:       "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Properties: parts}},
	}
}
