/** A webhook that refuses to create and update objects in the namespaces of users. */
import { fleetNamespace } from '@flotilla/api';
import { storedObject, type Admission, type Attributes } from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import {
  type ApiError,
  apiVersionOf,
  ignoreAlreadyExists,
  ignoreNotFound,
  qualified,
  type KubeObject,
} from '@flotilla/kube';
import { deniedByWebhook } from '../denied-by-webhook.ts';
import { validatingConfigurations } from '../webhooks/configuration-kinds.ts';

const collection = qualified(validatingConfigurations.plural, validatingConfigurations.group);
const name = 'flotilla-simulated-fault';
const webhook = 'refuse.faults.flotilla.dev';

/** Namespaces of the cluster itself, which a policy usually exempts. */
const exempt: readonly string[] = ['kube-system', fleetNamespace];

const configuration: KubeObject = {
  apiVersion: apiVersionOf(validatingConfigurations),
  kind: validatingConfigurations.kind,
  metadata: { name },
  webhooks: [
    {
      name: webhook,
      clientConfig: { service: { namespace: fleetNamespace, name, path: '/refuse' } },
      rules: [
        {
          operations: ['CREATE', 'UPDATE'],
          apiGroups: ['*'],
          apiVersions: ['*'],
          resources: ['*'],
          scope: 'Namespaced',
        },
      ],
      namespaceSelector: {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...exempt] }],
      },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

/** Adds the configuration of the webhook to a cluster, or removes it. */
export async function setRefusingWebhook(client: Client, isRefusing: boolean): Promise<void> {
  if (isRefusing) await client.create(validatingConfigurations, configuration).catch(ignoreAlreadyExists);
  else if (await client.get(validatingConfigurations, { name }).catch(ignoreNotFound)) {
    await client.delete(validatingConfigurations, { name }).catch(ignoreNotFound);
  }
}

/**
 * Answers for the service of the webhook, which does not exist: it refuses before the server would call it. Its only state is
 * the configuration, so that the worker for heavy requests refuses the same.
 */
export const refusingWebhook: Admission = {
  name: 'SimulatedWebhook',
  validate: (attributes) => {
    if (isMatched(attributes) && storedObject(attributes.server, collection, name) !== undefined) throw refusal();
  },
};

function isMatched({ operation, subresource, namespace }: Attributes): boolean {
  const isWrite = operation === 'CREATE' || operation === 'UPDATE';
  return isWrite && subresource === '' && namespace !== '' && !exempt.includes(namespace);
}

function refusal(): ApiError {
  return deniedByWebhook(webhook, 'this webhook refuses everything; flotilla member start ends the fault');
}
