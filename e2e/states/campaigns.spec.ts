import { CAMPAIGNS } from './catalogue.ts';
import { everyState } from './every-state.ts';

everyState(CAMPAIGNS);
