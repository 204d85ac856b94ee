package envtest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
)

var boatVersion = schema.GroupVersion{Group: "harbor.example.com", Version: "v1"}

// Boat is the kind of a controller; definitions/boats.yaml defines it.
type Boat struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BoatSpec   `json:"spec"`
	Status BoatStatus `json:"status,omitempty"`
}

type BoatSpec struct {
	Crew  int32  `json:"crew"`
	Berth string `json:"berth,omitempty"`
}

type BoatStatus struct {
	Aboard int32 `json:"aboard,omitempty"`
}

type BoatList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Boat `json:"items"`
}

func (boat *Boat) DeepCopyObject() runtime.Object {
	copied := *boat
	boat.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

func (list *BoatList) DeepCopyObject() runtime.Object {
	copied := &BoatList{TypeMeta: list.TypeMeta, Items: make([]Boat, len(list.Items))}
	list.ListMeta.DeepCopyInto(&copied.ListMeta)
	for at := range list.Items {
		copied.Items[at] = *list.Items[at].DeepCopyObject().(*Boat)
	}
	return copied
}

// newScheme knows the built-in kinds and boats.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		panic(err)
	}
	scheme.AddKnownTypes(boatVersion, &Boat{}, &BoatList{})
	metav1.AddToGroupVersion(scheme, boatVersion)
	return scheme
}
