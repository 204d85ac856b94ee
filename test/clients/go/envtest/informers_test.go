package envtest

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// protobufConfig is what controllers set for the built-in kinds.
func protobufConfig() *rest.Config {
	typed := rest.CopyConfig(config)
	typed.ContentType = "application/vnd.kubernetes.protobuf"
	typed.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return typed
}

func TestInformersTellWhatHappens(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	clients, err := kubernetes.NewForConfig(protobufConfig())
	must(t, err)
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "watched=yes" }))
	informer := factory.Core().V1().ConfigMaps().Informer()
	must(t, informer.AddIndexers(cache.Indexers{"colour": func(object any) ([]string, error) {
		return []string{object.(metav1.Object).GetAnnotations()["colour"]}, nil
	}}))
	seen := &record{}
	_, err = informer.AddEventHandler(seen.handlers())
	must(t, err)
	factory.Start(t.Context().Done())
	factory.WaitForCacheSync(t.Context().Done())

	object := configMap(namespace, "one")
	object.Labels = map[string]string{"watched": "yes"}
	object.Annotations = map[string]string{"colour": "red"}
	must(t, direct.Create(t.Context(), object))
	must(t, direct.Create(t.Context(), configMap(namespace, "unwatched")))
	eventually(t, "the informer notifies only of selected objects", seen.equals("add one"))
	if red, err := informer.GetIndexer().ByIndex("colour", "red"); err != nil || len(red) != 1 {
		t.Errorf("the index has %d red ones (%v)", len(red), err)
	}

	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"watched":"no"}}}`))
	must(t, direct.Patch(t.Context(), object, patch))
	eventually(t, "what is no longer selected is gone", seen.equals("add one", "delete one"))
}

func TestMetadataInformersSeeOutlines(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	object := configMap(namespace, "outlined")
	object.Data = map[string]string{"secret": "content"}
	must(t, direct.Create(t.Context(), object))

	clients, err := metadata.NewForConfig(config)
	must(t, err)
	factory := metadatainformer.NewFilteredSharedInformerFactory(clients, 0, namespace, nil)
	boats := factory.ForResource(boatVersion.WithResource("boats")).Lister()
	outlines := factory.ForResource(corev1.SchemeGroupVersion.WithResource("configmaps")).Lister()
	factory.Start(t.Context().Done())
	factory.WaitForCacheSync(t.Context().Done())

	must(t, direct.Create(t.Context(), &Boat{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "argo"}, Spec: BoatSpec{Crew: 1}}))
	eventually(t, "the informer notifies of the boat's metadata", func(context.Context) error {
		found, err := boats.ByNamespace(namespace).Get("argo")
		if err != nil {
			return err
		}
		if uid := found.(*metav1.PartialObjectMetadata).UID; uid == "" {
			return fmt.Errorf("it has no uid")
		}
		return nil
	})
	if _, err := outlines.ByNamespace(namespace).Get("outlined"); err != nil {
		t.Errorf("the ConfigMap that was there: %v", err)
	}
}
