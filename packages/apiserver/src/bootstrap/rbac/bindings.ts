import type { BindingRow } from './binding-row.ts';

export const clusterRoleBindings: Readonly<Record<string, BindingRow>> = {
  'cluster-admin': { subjects: ['Group system:masters'] },
  'system:basic-user': { subjects: ['Group system:authenticated'] },
  'system:discovery': { subjects: ['Group system:authenticated'] },
  'system:kube-controller-manager': { subjects: ['User system:kube-controller-manager'] },
  'system:kube-dns': { subjects: ['ServiceAccount kube-system/kube-dns'] },
  'system:kube-scheduler': { subjects: ['User system:kube-scheduler'] },
  'system:monitoring': { subjects: ['Group system:monitoring'] },
  'system:node': { subjects: [] },
  'system:node-proxier': { subjects: ['User system:kube-proxy'] },
  'system:public-info-viewer': { subjects: ['Group system:authenticated', 'Group system:unauthenticated'] },
  'system:service-account-issuer-discovery': { subjects: ['Group system:serviceaccounts'] },
  'system:volume-scheduler': { subjects: ['User system:kube-scheduler'] },
};

/** By namespace and name. */
export const roleBindings: Readonly<Record<string, Readonly<Record<string, BindingRow>>>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': { subjects: ['ServiceAccount kube-system/bootstrap-signer'] },
  },
  'kube-system': {
    'system::extension-apiserver-authentication-reader': {
      role: 'extension-apiserver-authentication-reader',
      subjects: ['User system:kube-controller-manager', 'User system:kube-scheduler'],
    },
    'system::leader-locking-kube-controller-manager': {
      subjects: [
        'User system:kube-controller-manager',
        'ServiceAccount kube-system/kube-controller-manager',
        'ServiceAccount kube-system/leader-election-controller',
      ],
    },
    'system::leader-locking-kube-scheduler': {
      subjects: ['User system:kube-scheduler', 'ServiceAccount kube-system/kube-scheduler'],
    },
    'system:controller:bootstrap-signer': { subjects: ['ServiceAccount kube-system/bootstrap-signer'] },
    'system:controller:cloud-provider': { subjects: ['ServiceAccount kube-system/cloud-provider'] },
    'system:controller:token-cleaner': { subjects: ['ServiceAccount kube-system/token-cleaner'] },
  },
};
