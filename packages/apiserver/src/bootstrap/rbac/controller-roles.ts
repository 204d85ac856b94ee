import type { RoleRow } from './role-row.ts';

/** ClusterRoles of controllers, without the prefix `system:controller:`. Each is bound to the service account of that name. */
export const controllerRoles: Readonly<Record<string, RoleRow>> = {
  'attachdetach-controller': {
    rules: [
      'list,watch core persistentvolumeclaims,persistentvolumes',
      'get,list,watch core nodes',
      'patch,update core nodes/status',
      'list,watch core pods',
      'create,patch,update core,events.k8s.io events',
      'create,delete,get,list,watch storage.k8s.io volumeattachments',
      'get,list,watch storage.k8s.io csidrivers',
      'get,list,watch storage.k8s.io csinodes',
    ],
  },
  'certificate-controller': {
    rules: [
      'delete,get,list,watch certificates.k8s.io certificatesigningrequests',
      'update certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status',
      'approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet',
      'sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown',
      'create authorization.k8s.io subjectaccessreviews',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'clusterrole-aggregation-controller': {
    rules: ['escalate,get,list,patch,update,watch rbac.authorization.k8s.io clusterroles'],
  },
  'cronjob-controller': {
    rules: [
      'get,list,update,watch batch cronjobs',
      'create,delete,get,list,patch,update,watch batch jobs',
      'update batch cronjobs/status',
      'update batch cronjobs/finalizers',
      'delete,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'daemon-set-controller': {
    rules: [
      'get,list,watch apps,extensions daemonsets',
      'update apps,extensions daemonsets/status',
      'update apps,extensions daemonsets/finalizers',
      'list,watch core nodes',
      'create,delete,list,patch,watch core pods',
      'create core pods/binding',
      'create,delete,get,list,patch,update,watch apps controllerrevisions',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'deployment-controller': {
    rules: [
      'get,list,update,watch apps,extensions deployments',
      'update apps,extensions deployments/status',
      'update apps,extensions deployments/finalizers',
      'create,delete,get,list,patch,update,watch apps,extensions replicasets',
      'get,list,update,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'device-taint-eviction-controller': {
    rules: [
      'delete,get,list,watch core pods',
      'patch,update core pods/status',
      'get,list,watch resource.k8s.io resourceclaims',
      'get,list,watch resource.k8s.io resourceslices',
      'get,list,watch resource.k8s.io deviceclasses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'disruption-controller': {
    rules: [
      'get,list,watch apps,extensions deployments',
      'get,list,watch apps,extensions replicasets',
      'get,list,watch core replicationcontrollers',
      'get,list,watch policy poddisruptionbudgets',
      'get,list,watch apps statefulsets',
      'update policy poddisruptionbudgets/status',
      'patch,update core pods/status',
      'get * */scale',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'endpoint-controller': {
    rules: [
      'get,list,watch core pods,services',
      'create,delete,get,list,update,watch core endpoints',
      'create core endpoints/restricted',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'endpointslice-controller': {
    rules: [
      'get,list,watch core nodes,pods,services',
      'update core services/finalizers',
      'create,delete,get,list,update,watch discovery.k8s.io endpointslices',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'endpointslicemirroring-controller': {
    rules: [
      'get,list,watch core endpoints,services',
      'update core services/finalizers',
      'update core endpoints/finalizers',
      'create,delete,get,list,update,watch discovery.k8s.io endpointslices',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'ephemeral-volume-controller': {
    rules: [
      'get,list,watch core pods',
      'update core pods/finalizers',
      'create,get,list,watch core persistentvolumeclaims',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'expand-controller': {
    rules: [
      'get,list,patch,update,watch core persistentvolumes',
      'patch,update core persistentvolumeclaims/status',
      'get,list,watch core persistentvolumeclaims',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'generic-garbage-collector': {
    rules: ['delete,get,list,patch,update,watch * *', 'create,patch,update core,events.k8s.io events'],
  },
  'horizontal-pod-autoscaler': {
    rules: [
      'get,list,watch autoscaling horizontalpodautoscalers',
      'update autoscaling horizontalpodautoscalers/status',
      'get,update * */scale',
      'list,watch core pods',
      'list,watch metrics.k8s.io pods',
      'get,list,watch custom.metrics.k8s.io *',
      'get,list,watch external.metrics.k8s.io *',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'job-controller': {
    rules: [
      'get,list,patch,update,watch batch jobs',
      'update batch jobs/status',
      'update batch jobs/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'legacy-service-account-token-cleaner': {
    rules: ['get core configmaps kube-apiserver-legacy-service-account-token-tracking', 'delete,patch core secrets'],
  },
  'namespace-controller': {
    rules: [
      'delete,get,list,watch core namespaces',
      'update core namespaces/finalize,namespaces/status',
      'delete,deletecollection,get,list,watch * *',
    ],
  },
  'node-controller': {
    rules: [
      'delete,get,list,patch,update,watch core nodes',
      'patch,update core nodes/status',
      'patch,update core pods/status',
      'delete,get,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'persistent-volume-binder': {
    rules: [
      'create,delete,get,list,update,watch core persistentvolumes',
      'update core persistentvolumes/status',
      'get,list,update,watch core persistentvolumeclaims',
      'update core persistentvolumeclaims/status',
      'create,delete,get,list,watch core pods',
      'get,list,watch storage.k8s.io storageclasses',
      'list,watch core nodes',
      'create,patch,update core,events.k8s.io events',
      'watch core events',
    ],
  },
  'pod-garbage-collector': {
    rules: ['delete,list,watch core pods', 'get,list,watch core nodes', 'patch core pods/status'],
  },
  'pv-protection-controller': {
    rules: ['get,list,update,watch core persistentvolumes', 'create,patch,update core,events.k8s.io events'],
  },
  'pvc-protection-controller': {
    rules: [
      'get,list,update,watch core persistentvolumeclaims',
      'update core persistentvolumeclaims/status',
      'get,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'replicaset-controller': {
    rules: [
      'get,list,update,watch apps,extensions replicasets',
      'update apps,extensions replicasets/status',
      'update apps,extensions replicasets/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'replication-controller': {
    rules: [
      'get,list,update,watch core replicationcontrollers',
      'update core replicationcontrollers/status',
      'update core replicationcontrollers/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'resource-claim-controller': {
    rules: [
      'get,list,watch core pods',
      'update core pods/finalizers',
      'create,delete,get,list,watch resource.k8s.io resourceclaims',
      'patch,update resource.k8s.io resourceclaims,resourceclaims/status',
      'patch,update core pods/status',
      'create,patch,update core,events.k8s.io events',
      'patch,update resource.k8s.io resourceclaims/binding',
    ],
  },
  'resourcequota-controller': {
    rules: ['list,watch * *', 'update core resourcequotas/status', 'create,patch,update core,events.k8s.io events'],
  },
  'root-ca-cert-publisher': {
    rules: ['create,update core configmaps', 'create,patch,update core,events.k8s.io events'],
  },
  'route-controller': {
    rules: ['list,watch core nodes', 'patch core nodes/status', 'create,patch,update core,events.k8s.io events'],
  },
  'selinux-warning-controller': {
    rules: [
      'create,patch,update core,events.k8s.io events',
      'get,list,watch core persistentvolumes',
      'get,list,watch core persistentvolumeclaims',
      'get,list,watch core pods',
      'get,list,watch storage.k8s.io csidrivers',
    ],
  },
  'service-account-controller': {
    rules: ['create core serviceaccounts', 'create,patch,update core,events.k8s.io events'],
  },
  'service-cidrs-controller': {
    rules: [
      'get,list,patch,update,watch networking.k8s.io servicecidrs',
      'patch,update networking.k8s.io servicecidrs/finalizers',
      'patch,update networking.k8s.io servicecidrs/status',
      'get,list,watch networking.k8s.io ipaddresses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'service-controller': {
    rules: [
      'get,list,watch core services',
      'patch,update core services/status',
      'list,watch core nodes',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'statefulset-controller': {
    rules: [
      'list,watch core pods',
      'get,list,watch apps statefulsets',
      'update apps statefulsets/status',
      'update apps statefulsets/finalizers',
      'create,delete,get,patch,update core pods',
      'create,delete,get,list,patch,update,watch apps controllerrevisions',
      'create,get,list,watch core persistentvolumeclaims',
      'delete,update core persistentvolumeclaims',
      'update core pods/finalizers',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'ttl-after-finished-controller': {
    rules: ['delete,get,list,watch batch jobs', 'create,patch,update core,events.k8s.io events'],
  },
  'ttl-controller': { rules: ['list,patch,update,watch core nodes', 'create,patch,update core,events.k8s.io events'] },
  'validatingadmissionpolicy-status-controller': {
    rules: [
      'get,list,watch admissionregistration.k8s.io validatingadmissionpolicies',
      'get,patch,update admissionregistration.k8s.io validatingadmissionpolicies/status',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  'volumeattributesclass-protection-controller': {
    rules: [
      'get,list,watch core persistentvolumeclaims',
      'get,list,watch core persistentvolumes',
      'get,list,update,watch storage.k8s.io volumeattributesclasses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
};
