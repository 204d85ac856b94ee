import { compareBytes, type KubeObject, type LabelSelectorObject } from '@flotilla/kube';
import type { Store } from '../../store/store.ts';
import type { WebhookClientConfig } from '../../webhooks/webhook-target.ts';
import { FollowedCollection } from '../matching/followed-collection.ts';
import { MatchConditions, type MatchCondition } from '../matching/match-conditions.ts';
import { MatchCriteria } from '../matching/match-criteria.ts';
import { MatchIndex } from '../matching/match-index.ts';
import type { AdmissionRule } from '../matching/rules.ts';

/** A webhook of a configuration, as the API has it. */
interface WebhookFields {
  readonly name?: string;
  readonly clientConfig?: WebhookClientConfig;
  readonly rules?: readonly AdmissionRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
}

/** A webhook, ready to be called. */
export interface ConfiguredWebhook {
  readonly name: string;
  /** The name of its configuration. */
  readonly configuration: string;
  /** Unique among all webhooks of the phase. */
  readonly id: string;
  /** Its position among all webhooks of the phase; names its audit annotations. */
  readonly index: number;
  readonly criteria: MatchCriteria;
  readonly conditions: MatchConditions;
  readonly clientConfig: WebhookClientConfig;
  readonly ignoresFailures: boolean;
  readonly isReinvoked: boolean;
  readonly hasSideEffects: boolean;
  readonly timeoutSeconds: number;
  readonly reviewVersions: readonly string[];
}

type UnplacedWebhook = Omit<ConfiguredWebhook, 'index'>;

/** The default of the API. Stored webhooks have a timeout, so this is for those that were stored without defaults. */
const defaultTimeoutSeconds = 10;

/** The webhooks of one phase that the store has: by the name of their configuration, then in its order. */
export class StoredWebhooks {
  readonly #configurations: FollowedCollection<readonly UnplacedWebhook[]>;
  #seen = 0;
  #index = new MatchIndex<ConfiguredWebhook>([]);

  constructor(store: Store, plural: string) {
    this.#configurations = new FollowedCollection(store, `${plural}.admissionregistration.k8s.io`, webhooksOf);
  }

  current(): MatchIndex<ConfiguredWebhook> {
    const changes = this.#configurations.refresh();
    if (changes === this.#seen) return this.#index;
    this.#seen = changes;
    const byName = [...this.#configurations.items].sort(([a], [b]) => compareBytes(a, b));
    const inOrder = byName.flatMap(([, webhooks]) => webhooks).map((webhook, index) => ({ ...webhook, index }));
    return (this.#index = new MatchIndex(inOrder));
  }
}

function webhooksOf({ metadata, ...fields }: KubeObject): UnplacedWebhook[] {
  const { webhooks } = fields as { webhooks?: readonly WebhookFields[] | null };
  return (webhooks ?? []).map((webhook, position) => configured(webhook, metadata.name ?? '', position));
}

function configured(fields: WebhookFields, configuration: string, position: number): UnplacedWebhook {
  const { name = '', rules = [], sideEffects, failurePolicy } = fields;
  const { namespaceSelector, objectSelector, matchPolicy } = fields;
  return {
    name,
    configuration,
    id: `${configuration}/${name}/${position}`,
    criteria: new MatchCriteria({ rules, namespaceSelector, objectSelector, matchPolicy }),
    conditions: new MatchConditions(fields.matchConditions ?? [], failurePolicy),
    clientConfig: fields.clientConfig ?? {},
    ignoresFailures: failurePolicy === 'Ignore',
    isReinvoked: fields.reinvocationPolicy === 'IfNeeded',
    hasSideEffects: sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun',
    timeoutSeconds: fields.timeoutSeconds ?? defaultTimeoutSeconds,
    reviewVersions: fields.admissionReviewVersions ?? [],
  };
}
