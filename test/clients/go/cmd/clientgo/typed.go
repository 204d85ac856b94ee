package main

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
)

// client has the methods that all typed clients share.
type client[T any] interface {
	Create(ctx context.Context, object T, options metav1.CreateOptions) (T, error)
	Get(ctx context.Context, name string, options metav1.GetOptions) (T, error)
	Update(ctx context.Context, object T, options metav1.UpdateOptions) (T, error)
	Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
}

type life struct {
	Created any `json:"created"`
	Updated any `json:"updated"`
	Gone    any `json:"gone"`
}

func live[T metav1.Object](ctx context.Context, client client[T], object T, change func(T)) (life, error) {
	first, err := client.Create(ctx, object, created)
	if err != nil {
		return life{}, err
	}
	again, err := client.Get(ctx, first.GetName(), metav1.GetOptions{})
	if err != nil {
		return life{}, err
	}
	change(again)
	second, err := client.Update(ctx, again, updated)
	if err != nil {
		return life{}, err
	}
	if err := client.Delete(ctx, second.GetName(), metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0))}); err != nil {
		return life{}, err
	}
	_, gone := client.Get(ctx, second.GetName(), metav1.GetOptions{})
	return life{first, second, refusalOf(gone)}, nil
}

func checkTyped(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	meta := metav1.ObjectMeta{Name: "typed", Labels: map[string]string{"app": "typed"}}
	template := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: meta.Labels},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{
				Name: "main", Image: "nginx:1.27",
				Ports:     []corev1.ContainerPort{{Name: "http", ContainerPort: 80}},
				Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("0.1"), "memory": resource.MustParse("1.5Gi")}},
				LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
					HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")},
				}},
			}},
		},
	}
	once := template.DeepCopy()
	once.Spec.RestartPolicy = corev1.RestartPolicyNever
	selector := &metav1.LabelSelector{MatchLabels: meta.Labels}
	then := metav1.NewMicroTime(time.Date(2026, 1, 1, 0, 0, 0, 123456000, time.UTC))
	port := intstr.FromInt32(80)

	lives := map[string]func() (life, error){
		"configmap": func() (life, error) {
			object := &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"a": "é<>&"}, BinaryData: map[string][]byte{"b": {0, 255}}}
			return live(ctx, client.CoreV1().ConfigMaps(namespace), object, func(c *corev1.ConfigMap) { delete(c.BinaryData, "b") })
		},
		"secret": func() (life, error) {
			object := &corev1.Secret{ObjectMeta: meta, StringData: map[string]string{"password": "hunter2"}}
			return live(ctx, client.CoreV1().Secrets(namespace), object, func(s *corev1.Secret) { s.Data["more"] = []byte{1, 2, 3} })
		},
		"service": func() (life, error) {
			object := &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{
				ClusterIP: "None", Selector: meta.Labels, Ports: []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}},
			}}
			return live(ctx, client.CoreV1().Services(namespace), object, func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = port })
		},
		"pod": func() (life, error) {
			object := &corev1.Pod{ObjectMeta: meta, Spec: template.Spec}
			return live(ctx, client.CoreV1().Pods(namespace), object, func(p *corev1.Pod) { p.Spec.Containers[0].Image = "nginx:1.28" })
		},
		"deployment": func() (life, error) {
			object := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Selector: selector, Template: template}}
			return live(ctx, client.AppsV1().Deployments(namespace), object, func(d *appsv1.Deployment) { d.Spec.Replicas = ptr.To(int32(0)) })
		},
		"statefulset": func() (life, error) {
			object := &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Selector: selector, Template: template, ServiceName: "typed"}}
			return live(ctx, client.AppsV1().StatefulSets(namespace), object, func(s *appsv1.StatefulSet) { s.Spec.MinReadySeconds = 5 })
		},
		"job": func() (life, error) {
			// A selector of our own: the generated one names the uid.
			object := &batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{ManualSelector: ptr.To(true), Selector: selector, Template: *once}}
			return live(ctx, client.BatchV1().Jobs(namespace), object, func(j *batchv1.Job) { j.Spec.Suspend = ptr.To(true) })
		},
		"lease": func() (life, error) {
			object := &coordinationv1.Lease{ObjectMeta: meta, Spec: coordinationv1.LeaseSpec{HolderIdentity: ptr.To("me"), RenewTime: &then}}
			return live(ctx, client.CoordinationV1().Leases(namespace), object, func(l *coordinationv1.Lease) { l.Spec.LeaseTransitions = ptr.To(int32(1)) })
		},
		"role": func() (life, error) {
			object := &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get"}}}}
			return live(ctx, client.RbacV1().Roles(namespace), object, func(r *rbacv1.Role) { r.Rules[0].Verbs = []string{"*"} })
		},
		"ingress": func() (life, error) {
			object := &networkingv1.Ingress{ObjectMeta: meta, Spec: networkingv1.IngressSpec{DefaultBackend: &networkingv1.IngressBackend{
				Service: &networkingv1.IngressServiceBackend{Name: "typed", Port: networkingv1.ServiceBackendPort{Number: 80}},
			}}}
			return live(ctx, client.NetworkingV1().Ingresses(namespace), object, func(i *networkingv1.Ingress) { i.Spec.IngressClassName = ptr.To("outside") })
		},
		"poddisruptionbudget": func() (life, error) {
			object := &policyv1.PodDisruptionBudget{ObjectMeta: meta, Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector, MinAvailable: ptr.To(intstr.FromString("50%"))}}
			return live(ctx, client.PolicyV1().PodDisruptionBudgets(namespace), object, func(p *policyv1.PodDisruptionBudget) { p.Spec.MinAvailable = ptr.To(intstr.FromInt32(1)) })
		},
		"horizontalpodautoscaler": func() (life, error) {
			object := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: meta, Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
				ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "typed"}, MaxReplicas: 3,
			}}
			return live(ctx, client.AutoscalingV2().HorizontalPodAutoscalers(namespace), object, func(h *autoscalingv2.HorizontalPodAutoscaler) { h.Spec.MaxReplicas = 5 })
		},
	}
	return inOrder(lives)
}
