package main

import (
	"bytes"
	"encoding/json"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/utils/ptr"
)

// fixture is one object in both of its wire forms; the protobuf has the envelope.
type fixture struct {
	JSON     runtime.Object `json:"json"`
	Protobuf []byte         `json:"protobuf"`
}

func buildFixtures() (map[string][]byte, error) {
	serializer := protobuf.NewSerializer(nil, nil)
	fixtures := []fixture{}
	for _, object := range fixtureObjects() {
		var encoded bytes.Buffer
		if err := serializer.Encode(object, &encoded); err != nil {
			return nil, err
		}
		fixtures = append(fixtures, fixture{JSON: object, Protobuf: encoded.Bytes()})
	}
	watchEvent, err := watchEventFixture(serializer)
	if err != nil {
		return nil, err
	}
	objects, err := json.MarshalIndent(fixtures, "", " ")
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"objects.json": append(objects, '\n'), "watch-event.json": watchEvent}, nil
}

func fixtureObjects() []runtime.Object {
	return []runtime.Object{configMap(), secret(), deployment(), lease(), disruptionBudget(), resourceQuota(),
		customResourceDefinition(), apiService(), deleteOptions()}
}

// watchEventFixture is an event as a protobuf watch sends it: the object inside has an envelope of its own.
func watchEventFixture(serializer *protobuf.Serializer) ([]byte, error) {
	var object bytes.Buffer
	if err := serializer.Encode(configMap(), &object); err != nil {
		return nil, err
	}
	event := &metav1.WatchEvent{Type: "ADDED", Object: runtime.RawExtension{Raw: object.Bytes()}}
	encoded, err := event.Marshal()
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(map[string]any{"type": event.Type, "object": configMap(), "protobuf": encoded}, "", " ")
	return append(text, '\n'), err
}

func typeMeta(apiVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 123456000, time.UTC)

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name:              name,
		Namespace:         "harbour",
		UID:               "00000000-0000-4000-8000-000000000001",
		ResourceVersion:   "42",
		Generation:        1 << 60,
		CreationTimestamp: metav1.NewTime(noon.Truncate(time.Second)),
		Labels:            map[string]string{"b": "2", "a": "1", "__proto__": "kept"},
		OwnerReferences:   []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: "u", Controller: ptr.To(true)}},
		Finalizers:        []string{"example.com/hold"},
		ManagedFields: []metav1.ManagedFieldsEntry{{
			Manager: "m", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", FieldsType: "FieldsV1",
			Time: ptr.To(metav1.NewTime(noon.Truncate(time.Second))), FieldsV1: metav1.NewFieldsV1(`{"f:data":{".":{},"f:a":{}}}`),
		}},
	}
}

func configMap() runtime.Object {
	return &corev1.ConfigMap{
		TypeMeta: typeMeta("v1", "ConfigMap"), ObjectMeta: meta("ropes"),
		Data:       map[string]string{"length": "30 m", "empty": "", "ü": "\u2028<&>"},
		BinaryData: map[string][]byte{"raw": {0, 255, 1}, "none": {}},
		Immutable:  ptr.To(false),
	}
}

func secret() runtime.Object {
	return &corev1.Secret{
		TypeMeta: typeMeta("v1", "Secret"), ObjectMeta: metav1.ObjectMeta{Name: "key"},
		Data: map[string][]byte{"password": []byte("open sesame")}, Type: corev1.SecretTypeOpaque,
	}
}

func deployment() runtime.Object {
	surge := intstr.FromString("25%")
	labels := map[string]string{"app": "crane"}
	return &appsv1.Deployment{
		TypeMeta: typeMeta("apps/v1", "Deployment"), ObjectMeta: metav1.ObjectMeta{Name: "crane"},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](0),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Strategy: appsv1.DeploymentStrategy{RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &surge}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
					Containers: []corev1.Container{{
						Name: "crane", Image: "crane:1",
						Ports: []corev1.ContainerPort{{ContainerPort: 80}},
						Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
							"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("64Mi"),
						}},
						ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
							HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromInt32(8080)},
						}},
					}},
					ReadinessGates: []corev1.PodReadinessGate{{ConditionType: "example.com/ready"}},
				},
			},
		},
		Status: appsv1.DeploymentStatus{Conditions: []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: "True"}}},
	}
}

func lease() runtime.Object {
	return &coordinationv1.Lease{
		TypeMeta: typeMeta("coordination.k8s.io/v1", "Lease"), ObjectMeta: metav1.ObjectMeta{Name: "pilot"},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: ptr.To(""), LeaseDurationSeconds: ptr.To[int32](15), RenewTime: ptr.To(metav1.NewMicroTime(noon)),
		},
	}
}

func disruptionBudget() runtime.Object {
	minimum := intstr.FromInt32(2)
	return &policyv1.PodDisruptionBudget{
		TypeMeta: typeMeta("policy/v1", "PodDisruptionBudget"), ObjectMeta: metav1.ObjectMeta{Name: "crew"},
		Spec:   policyv1.PodDisruptionBudgetSpec{MinAvailable: &minimum, Selector: &metav1.LabelSelector{}},
		Status: policyv1.PodDisruptionBudgetStatus{DisruptedPods: map[string]metav1.Time{"p": metav1.NewTime(noon.Truncate(time.Second))}},
	}
}

func resourceQuota() runtime.Object {
	return &corev1.ResourceQuota{
		TypeMeta: typeMeta("v1", "ResourceQuota"), ObjectMeta: metav1.ObjectMeta{Name: "hold"},
		Spec: corev1.ResourceQuotaSpec{
			Hard: corev1.ResourceList{"pods": resource.MustParse("10")}, Scopes: []corev1.ResourceQuotaScope{"Terminating"},
		},
	}
}

func customResourceDefinition() runtime.Object {
	schema := apiextensionsv1.JSONSchemaProps{
		Type: "object", Required: []string{"spec"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"spec": {
				Type: "object", MinProperties: ptr.To[int64](0), Maximum: ptr.To(1.5), Nullable: true,
				Default:              &apiextensionsv1.JSON{Raw: []byte(`{"depth":3,"b":[1,"x",null]}`)},
				AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true},
				Enum:                 []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}, {Raw: []byte(`1`)}},
				XIntOrString:         true, XPreserveUnknownFields: ptr.To(true), XListType: ptr.To("map"),
				XValidations: apiextensionsv1.ValidationRules{{Rule: "self > 0", Message: "must be positive", OptionalOldSelf: ptr.To(true)}},
			},
			"list": {
				Type:  "array",
				Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "string", Pattern: "^a<b$"}},
			},
			"tuple": {Items: &apiextensionsv1.JSONSchemaPropsOrArray{
				JSONSchemas: []apiextensionsv1.JSONSchemaProps{{Type: "string"}, {Type: "integer"}},
			}},
			"map": {AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{
				Allows: true, Schema: &apiextensionsv1.JSONSchemaProps{Not: &apiextensionsv1.JSONSchemaProps{Format: "int32"}},
			}},
			"closed": {AdditionalItems: &apiextensionsv1.JSONSchemaPropsOrBool{}},
			"old": {Dependencies: apiextensionsv1.JSONSchemaDependencies{
				"a": {Property: []string{"b", "c"}}, "d": {Schema: &apiextensionsv1.JSONSchemaProps{ID: "e"}},
			}},
		},
	}
	return &apiextensionsv1.CustomResourceDefinition{
		TypeMeta: typeMeta("apiextensions.k8s.io/v1", "CustomResourceDefinition"), ObjectMeta: metav1.ObjectMeta{Name: "boats.harbour.example"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "harbour.example", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "boats", Kind: "Boat", ShortNames: []string{"bo"}},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &schema},
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
					Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"},
				},
				AdditionalPrinterColumns: []apiextensionsv1.CustomResourceColumnDefinition{{Name: "Depth", Type: "integer", JSONPath: ".spec.depth"}},
			}},
			Conversion: &apiextensionsv1.CustomResourceConversion{
				Strategy: apiextensionsv1.WebhookConverter,
				Webhook: &apiextensionsv1.WebhookConversion{
					ClientConfig: &apiextensionsv1.WebhookClientConfig{
						Service: &apiextensionsv1.ServiceReference{Namespace: "n", Name: "s"}, CABundle: []byte("ca"),
					},
					ConversionReviewVersions: []string{"v1"},
				},
			},
		},
		Status: apiextensionsv1.CustomResourceDefinitionStatus{
			Conditions: []apiextensionsv1.CustomResourceDefinitionCondition{{
				Type: apiextensionsv1.Established, Status: "True", LastTransitionTime: metav1.NewTime(noon.Truncate(time.Second)),
			}},
			AcceptedNames:  apiextensionsv1.CustomResourceDefinitionNames{Plural: "boats", Kind: "Boat"},
			StoredVersions: []string{"v1"},
		},
	}
}

func apiService() runtime.Object {
	return &apiregistrationv1.APIService{
		TypeMeta: typeMeta("apiregistration.k8s.io/v1", "APIService"), ObjectMeta: metav1.ObjectMeta{Name: "v1.tides.example"},
		Spec: apiregistrationv1.APIServiceSpec{
			Service: &apiregistrationv1.ServiceReference{Namespace: "n", Name: "tides", Port: ptr.To[int32](443)},
			Group:   "tides.example", Version: "v1", InsecureSkipTLSVerify: true, CABundle: []byte("ca"),
			GroupPriorityMinimum: 1000, VersionPriority: 15,
		},
		Status: apiregistrationv1.APIServiceStatus{Conditions: []apiregistrationv1.APIServiceCondition{{
			Type: apiregistrationv1.Available, Status: "False", Reason: "ServiceNotFound", Message: "no service",
		}}},
	}
}

func deleteOptions() runtime.Object {
	return &metav1.DeleteOptions{
		TypeMeta:           typeMeta("v1", "DeleteOptions"),
		GracePeriodSeconds: ptr.To[int64](0),
		Preconditions:      &metav1.Preconditions{UID: ptr.To(types.UID("u")), ResourceVersion: ptr.To("7")},
		PropagationPolicy:  ptr.To(metav1.DeletePropagationForeground),
		DryRun:             []string{metav1.DryRunAll},
	}
}
