import { SETTINGS } from './catalogue.ts';
import { everyState } from './every-state.ts';

everyState(SETTINGS);
