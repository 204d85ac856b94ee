import { describe } from 'node:test';
import { availability } from '@flotilla/testkit';
import { missingClient } from './clients-folder.ts';
import { playScenarios } from './play-scenarios.ts';

describe('kubectl prints what it prints on kube-apiserver', availability('kubectl', missingClient('kubectl')), () => {
  playScenarios(({ name }) => name !== 'client-go');
});
