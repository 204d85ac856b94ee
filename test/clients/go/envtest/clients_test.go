package envtest

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func TestTypedClientSpeaksProtobuf(t *testing.T) {
	namespace := newNamespace(t, newClient(t, config))
	clients, err := kubernetes.NewForConfig(protobufConfig())
	must(t, err)
	deployments := clients.AppsV1().Deployments(namespace)
	labels := map[string]string{"app": "web"}
	made, err := deployments.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](3),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
			},
		},
	}, metav1.CreateOptions{})
	must(t, err)
	if policy := made.Spec.Template.Spec.RestartPolicy; policy != corev1.RestartPolicyAlways || made.Generation != 1 {
		t.Errorf("restart policy %q, generation %d", policy, made.Generation)
	}
	patch := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}`)
	made, err = deployments.Patch(t.Context(), "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	must(t, err)
	if containers := made.Spec.Template.Spec.Containers; len(containers) != 2 {
		t.Errorf("a strategic patch merges containers by name; there are %d", len(containers))
	}
	scale, err := deployments.GetScale(t.Context(), "web", metav1.GetOptions{})
	must(t, err)
	scale.Spec.Replicas = 5
	_, err = deployments.UpdateScale(t.Context(), "web", scale, metav1.UpdateOptions{})
	must(t, err)
	made.Status.ObservedGeneration = made.Generation
	_, err = deployments.UpdateStatus(t.Context(), made, metav1.UpdateOptions{})
	if err == nil {
		t.Error("a status from before the scaling is taken")
	}
}

func TestDynamicClientFindsWhatIsDefinedLater(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	clients, err := dynamic.NewForConfig(config)
	must(t, err)
	discovery, err := disk.NewCachedDiscoveryClientForConfig(config, t.TempDir(), t.TempDir(), time.Hour)
	must(t, err)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(discovery)
	buoy := schema.GroupKind{Group: "harbor.example.com", Kind: "Buoy"}
	if _, err := mapper.RESTMapping(buoy, "v1"); !meta.IsNoMatchError(err) {
		t.Fatalf("an undefined kind is mapped: %v", err)
	}
	_, err = envtest.InstallCRDs(config, envtest.CRDInstallOptions{Paths: []string{"later"}, ErrorIfPathMissing: true})
	must(t, err)
	mapper.Reset()
	mapping, err := mapper.RESTMapping(buoy, "v1")
	must(t, err)

	buoys := clients.Resource(mapping.Resource).Namespace(namespace)
	object := &unstructured.Unstructured{}
	object.SetUnstructuredContent(map[string]any{
		"apiVersion": "harbor.example.com/v1", "kind": "Buoy",
		"metadata": map[string]any{"name": "north"},
		"spec":     map[string]any{"colour": "red", "lit": true, "unknown": "pruned"},
	})
	made, err := buoys.Create(t.Context(), object, metav1.CreateOptions{})
	must(t, err)
	if spec := made.Object["spec"].(map[string]any); spec["colour"] != "red" || spec["unknown"] != nil {
		t.Errorf("the server keeps %v", spec)
	}
	listed, err := buoys.List(t.Context(), metav1.ListOptions{})
	must(t, err)
	if len(listed.Items) != 1 || listed.Items[0].GetName() != "north" {
		t.Errorf("%d buoys are listed", len(listed.Items))
	}
}
