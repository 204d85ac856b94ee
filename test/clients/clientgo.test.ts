import { describe } from 'node:test';
import { availability } from '@flotilla/testkit';
import { missingClient } from './clients-folder.ts';
import { playScenarios } from './play-scenarios.ts';

const clientgo = availability('go', missingClient('clientgo'));

describe('client-go sees what it sees on kube-apiserver', () => {
  playScenarios(clientgo, ({ name }) => name === 'client-go');
});
