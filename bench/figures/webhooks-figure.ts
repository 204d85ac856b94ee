/** What one mutating and one validating webhook on this machine add to a create. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { KubeObject, Kind } from '@flotilla/kube';
import type { BenchContext } from '../bench-context.ts';
import { clientOf } from '../measured/client-of.ts';
import type { Measurement } from '../results/measurement.ts';
import { measure } from '../run.ts';

const barMs = 1.5;
const count = 2000;

interface Receiver {
  readonly url: string;
  readonly authority: string;
}

type Phase = 'Mutating' | 'Validating';

export async function webhooksFigure(context: BenchContext): Promise<Measurement[]> {
  const child = fork(join(import.meta.dirname, '../load/answer-webhooks.ts'));
  try {
    const [receiver] = (await once(child, 'message')) as [Receiver];
    return await context.withFlotilla(async ({ server, load }) => {
      const creates = async (prefix: string): ReturnType<typeof measure> => {
        const workload = { work: 'create', kind: 'ConfigMap', count, inFlight: 1 } as const;
        await load.run({ ...workload, prefix: `${prefix}-warm` });
        return measure(server, load, { ...workload, prefix });
      };
      context.progress('creates without webhooks');
      const without = await creates('without');
      const client = clientOf(server);
      for (const phase of ['Mutating', 'Validating'] as const) {
        await client.create(kindOf(phase), configuration(phase, receiver));
      }
      context.progress('creates with webhooks');
      const within = await creates('with');
      const { isCrowded } = within;
      const added = within.p50Ms - without.p50Ms;
      const cpu = (within.serverCpuMs - without.serverCpuMs) / count;
      return [
        {
          figure: 'webhooks',
          what: 'added to a create by two webhooks, p50',
          value: added,
          unit: 'ms',
          bar: { atMost: barMs },
          isCrowded,
        },
        { figure: 'webhooks', what: 'a create with two webhooks, p50', value: within.p50Ms, unit: 'ms' },
        { figure: 'webhooks', what: 'a create with two webhooks, p99', value: within.p99Ms, unit: 'ms' },
        { figure: 'webhooks', what: 'server CPU that two webhooks add to a create', value: cpu, unit: 'ms' },
      ];
    });
  } finally {
    child.disconnect();
  }
}

function kindOf(phase: Phase): Kind {
  return {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: `${phase}WebhookConfiguration`,
    plural: `${phase.toLowerCase()}webhookconfigurations`,
    namespaced: false,
  };
}

function configuration(phase: Phase, { url, authority }: Receiver): KubeObject {
  const path = phase === 'Mutating' ? 'mutate' : 'validate';
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${phase}WebhookConfiguration`,
    metadata: { name: 'bench' },
    webhooks: [
      {
        name: `${path}.bench.example.com`,
        clientConfig: { url: `${url}/${path}`, caBundle: Buffer.from(authority).toString('base64') },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}
