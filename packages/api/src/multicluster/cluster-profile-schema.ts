import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { condition } from '../parts/condition.ts';
import { clusterProfiles } from './cluster-profile.ts';

/** A cluster entry of a kubeconfig file. */
const cluster = s.object('How to reach the cluster, with the fields of a kubeconfig file.', {
  server: s.string('Address of the API server.'),
  'tls-server-name': s.optional(
    s.string("The name that the server's certificate must have; defaults to the host of the address."),
  ),
  'insecure-skip-tls-verify': s.optional(s.boolean('Accept any certificate. This is insecure.')),
  'certificate-authority': s.optional(s.string('File with trusted certificate authorities.')),
  'certificate-authority-data': s.optional(
    s.string('Trusted certificate authorities, instead of a file.', { format: 'byte' }),
  ),
  'proxy-url': s.optional(s.string('Proxy URL: http, https or socks5.')),
  'disable-compression': s.optional(s.boolean('Request uncompressed responses.')),
  extensions: s.optional(
    s.list(
      s.object('One extension.', {
        name: s.string('Name of the extension.'),
        extension: s.anyFields('Its content.'),
      }),
      'Data of other programs.',
    ),
  ),
});

export const accessProvider = s.object('One way to access the cluster.', {
  name: s.string('Name of the provider.'),
  cluster: s.optional(cluster),
});

const property = s.object('A property of the cluster.', {
  name: s.string('Name of the property.', { minLength: 1, maxLength: 253 }),
  value: s.string('The value, as text.', { minLength: 1, maxLength: 1024 }),
  lastObservedTime: s.optional(s.dateTime('When it was last observed.')),
});

export const clusterProfileSpec = s.object('The cluster and its manager.', {
  displayName: s.optional(s.string('Name to display.')),
  clusterManager: s.object(
    'The manager of the cluster, which writes this object.',
    { name: s.string('Name of the manager.') },
    { rules: [{ rule: 'self == oldSelf', message: 'ClusterManager is immutable' }] },
  ),
});

export const clusterProfileStatus = s.object('Observed state of the cluster.', {
  conditions: s.optional(s.list(condition, 'Whether the control plane is healthy, and the like.')),
  version: s.optional(
    s.object('Versions of the cluster.', { kubernetes: s.optional(s.string('Version of Kubernetes.')) }),
  ),
  properties: s.optional(s.list(property, 'Properties of the cluster.')),
  accessProviders: s.optional(s.list(accessProvider, 'Ways to access the cluster.')),
  credentialProviders: s.optional(s.list(accessProvider, 'The older name of accessProviders.')),
});

export const clusterProfileDefinition = defineVersions(clusterProfiles, {
  description: 'A cluster in an inventory that any tool can read.',
  fields: { spec: clusterProfileSpec, status: s.optional(clusterProfileStatus) },
  subresources: { status: {} },
  versions: { v1alpha1: {} },
});
