import type { Store } from '../../store/store.ts';
import type { CallOwnServer } from '../../webhooks/own-server.ts';
import type { Admission, Admitted, Attributes, Webhooks } from '../admission.ts';
import { isAdmissionConfiguration } from '../matching/requested-object.ts';
import type { WebhookCaller } from './call-webhook.ts';
import { StoredWebhooks, type ConfiguredWebhook } from './configured-webhook.ts';
import { runMutatingWebhooks } from './mutating-webhooks.ts';
import { runValidatingWebhooks } from './validating-webhooks.ts';

interface Dependencies extends WebhookCaller {
  readonly store: Store;
  readonly callOwnServer: CallOwnServer;
}

/** The admission webhooks of one server. A configuration takes effect when it is visible. */
export class AdmissionWebhooks implements Webhooks {
  readonly callOwnServer: CallOwnServer;
  readonly #caller: WebhookCaller;
  readonly #mutating: StoredWebhooks;
  readonly #validating: StoredWebhooks;

  constructor({ store, callOwnServer, ...caller }: Dependencies) {
    this.#caller = caller;
    this.callOwnServer = callOwnServer;
    this.#mutating = new StoredWebhooks(store, 'mutatingwebhookconfigurations');
    this.#validating = new StoredWebhooks(store, 'validatingwebhookconfigurations');
  }

  admit(attributes: Attributes): Admitted {
    const webhooks = candidates(this.#mutating, attributes);
    if (webhooks.length > 0) return runMutatingWebhooks(webhooks, attributes, this.#caller);
  }

  validate(attributes: Attributes): Admitted {
    const webhooks = candidates(this.#validating, attributes);
    if (webhooks.length > 0) return runValidatingWebhooks(webhooks, attributes, this.#caller);
  }
}

const none: readonly ConfiguredWebhook[] = [];

function candidates(stored: StoredWebhooks, attributes: Attributes): readonly ConfiguredWebhook[] {
  const index = stored.current();
  return index.isEmpty || isAdmissionConfiguration(attributes.resource) ? none : index.candidates(attributes);
}

export const mutatingWebhooks: Admission = {
  name: 'MutatingAdmissionWebhook',
  admit: (attributes) => attributes.server.webhooks.admit(attributes),
};

export const validatingWebhooks: Admission = {
  name: 'ValidatingAdmissionWebhook',
  validate: (attributes) => attributes.server.webhooks.validate(attributes),
};
