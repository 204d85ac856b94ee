package envtest

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestApplyConfigurationsOwnWhatTheyName(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	clients, err := kubernetes.NewForConfig(config)
	must(t, err)
	configMaps := clients.CoreV1().ConfigMaps(namespace)

	first := corev1ac.ConfigMap("shared", namespace).WithData(map[string]string{"a": "1", "b": "1"})
	_, err = configMaps.Apply(t.Context(), first, metav1.ApplyOptions{FieldManager: "first"})
	must(t, err)

	second := corev1ac.ConfigMap("shared", namespace).WithData(map[string]string{"b": "2"})
	if err := direct.Apply(t.Context(), second, client.FieldOwner("second")); !apierrors.IsConflict(err) {
		t.Fatalf("taking a field that another owns is answered with: %v", err)
	}
	must(t, direct.Apply(t.Context(), second, client.FieldOwner("second"), client.ForceOwnership))

	object, err := configMaps.Get(t.Context(), "shared", metav1.GetOptions{})
	must(t, err)
	if object.Data["a"] != "1" || object.Data["b"] != "2" {
		t.Errorf("both have applied, and there is %v", object.Data)
	}

	extracted, err := corev1ac.ExtractConfigMap(object, "first")
	must(t, err)
	if _, owns := extracted.Data["b"]; owns || extracted.Data["a"] != "1" {
		t.Errorf("the first still owns %v", extracted.Data)
	}
	delete(extracted.Data, "a")
	object, err = configMaps.Apply(t.Context(), extracted, metav1.ApplyOptions{FieldManager: "first"})
	must(t, err)
	if _, exists := object.Data["a"]; exists {
		t.Error("what its only owner no longer applies stays")
	}
}
