package envtest

import (
	"context"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func TestUsersMayDoWhatTheirRolesSay(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	user, err := environment.AddUser(envtest.User{Name: "jason", Groups: []string{"argonauts"}}, config)
	must(t, err)
	limited := newClient(t, user.Config())
	if err := limited.Create(t.Context(), configMap(namespace, "fleece")); !apierrors.IsForbidden(err) {
		t.Fatalf("without a role, a create is answered with: %v", err)
	}
	must(t, direct.Create(t.Context(), &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "argonaut"},
		Rules:      []rbacv1.PolicyRule{{Verbs: []string{"create"}, APIGroups: []string{""}, Resources: []string{"configmaps"}}},
	}))
	must(t, direct.Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "argonauts"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "argonaut"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "argonauts"}},
	}))
	// kube-apiserver sees a binding a moment after it was made.
	eventually(t, "a binding takes effect", func(ctx context.Context) error {
		return client.IgnoreAlreadyExists(limited.Create(ctx, configMap(namespace, "fleece")))
	})
	if err := limited.List(t.Context(), &corev1.ConfigMapList{}, client.InNamespace(namespace)); !apierrors.IsForbidden(err) {
		t.Errorf("beyond the role, a list is answered with: %v", err)
	}
}

func TestServiceAccountsAreKnownByTheirTokens(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "medea"}}
	must(t, direct.Create(t.Context(), account))
	token := &authenticationv1.TokenRequest{}
	must(t, direct.SubResource("token").Create(t.Context(), account, token))

	bearer := rest.AnonymousClientConfig(config)
	bearer.BearerToken = token.Status.Token
	clients, err := kubernetes.NewForConfig(bearer)
	must(t, err)
	review, err := clients.AuthenticationV1().SelfSubjectReviews().
		Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	must(t, err)
	if name := review.Status.UserInfo.Username; name != "system:serviceaccount:"+namespace+":medea" {
		t.Errorf("the server takes the account for %s", name)
	}
}
