import type { RoleRow } from './role-row.ts';

/** By namespace and name. */
export const namespaceRoles: Readonly<Record<string, Readonly<Record<string, RoleRow>>>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': {
      rules: [
        'get,list,watch core configmaps',
        'update core configmaps cluster-info',
        'create,patch,update core,events.k8s.io events',
      ],
    },
  },
  'kube-system': {
    'extension-apiserver-authentication-reader': {
      rules: ['get,list,watch core configmaps extension-apiserver-authentication'],
    },
    'system::leader-locking-kube-controller-manager': {
      rules: [
        'create,get,list,update,watch coordination.k8s.io leases',
        'create,get,list,update,watch coordination.k8s.io leasecandidates',
      ],
    },
    'system::leader-locking-kube-scheduler': {
      rules: [
        'create,get,list,update,watch coordination.k8s.io leases',
        'create,get,list,update,watch coordination.k8s.io leasecandidates',
      ],
    },
    'system:controller:bootstrap-signer': { rules: ['get,list,watch core secrets'] },
    'system:controller:cloud-provider': { rules: ['create,get,list,watch core configmaps'] },
    'system:controller:token-cleaner': {
      rules: ['delete,get,list,watch core secrets', 'create,patch,update core,events.k8s.io events'],
    },
  },
};
