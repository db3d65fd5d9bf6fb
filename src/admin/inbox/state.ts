import { useCallback } from 'react'
import { createStore } from '../browser/store.ts'

/** The open record, or the last one, while it stands where its reader left it. */
interface OpenPlace {
  id: string | undefined
  place: number
  /** The fields that the order by due time depends on. */
  order: string
  /** A change has moved it elsewhere in the list: its successor stands at its place. */
  hasMoved: boolean
}

interface InboxState {
  /** The list that the selection and the first record belong to. */
  listKey: string | null
  selected: ReadonlySet<string>
  /** Everything that matches is selected, loaded or not. */
  isAll: boolean
  /** Shows where to select before anything is selected. */
  isSelecting: boolean
  /** The record that a desktop shows without being asked; undefined once somebody has closed it. */
  first: string | undefined
  hasFirst: boolean
  open: OpenPlace
  /** The row to focus as soon as it is drawn. */
  focusId: string | null
}

type InboxEvent =
  /** The first page of a list has come. */
  | { type: 'loaded'; listKey: string; first: string | undefined }
  | { type: 'closed'; listKey: string }
  | { type: 'toggled'; listKey: string; id: string }
  | { type: 'selecting'; listKey: string; isOn: boolean }
  | { type: 'all'; listKey: string }
  /** The list was drawn; a place below 0 says that the open record is not in it. */
  | { type: 'drawn'; id: string | undefined; place: number; order: string }
  /** A key leads to the record at a place. */
  | { type: 'stepped'; place: number }
  | { type: 'focus'; id: string | null }

const none: ReadonlySet<string> = new Set()

const initialState: InboxState = {
  listKey: null,
  selected: none,
  isAll: false,
  isSelecting: false,
  first: undefined,
  hasFirst: false,
  open: { id: undefined, place: 0, order: '', hasMoved: false },
  focusId: null,
}

/** Another list begins with nothing selected, and opens its own first record. */
const ofList = (state: InboxState, listKey: string): InboxState =>
  state.listKey === listKey
    ? state
    : { ...initialState, listKey, open: state.open, focusId: state.focusId }

const openAfter = (
  before: OpenPlace,
  { id, place, order }: Omit<OpenPlace, 'hasMoved'>,
): OpenPlace => {
  if (before.id !== id) return place < 0 ? before : { id, place, order, hasMoved: false }
  const isElsewhere = place < 0 || (place !== before.place && order !== before.order)
  const isBack = place === before.place && order === before.order
  if (isElsewhere) return { ...before, hasMoved: true }
  return before.hasMoved && !isBack ? before : { ...before, place, hasMoved: false }
}

export const inboxReducer = (state: InboxState, event: InboxEvent): InboxState => {
  switch (event.type) {
    case 'loaded': {
      const own = ofList(state, event.listKey)
      return own.hasFirst ? own : { ...own, first: event.first, hasFirst: true }
    }
    case 'closed':
      return { ...ofList(state, event.listKey), first: undefined, hasFirst: true }
    case 'toggled': {
      const own = ofList(state, event.listKey)
      const selected = new Set(own.selected)
      // One less than all: those that were ticked by themselves remain.
      if (!selected.delete(event.id) && !own.isAll) selected.add(event.id)
      return { ...own, selected, isAll: false, isSelecting: false }
    }
    case 'selecting':
      return {
        ...ofList(state, event.listKey),
        selected: none,
        isAll: false,
        isSelecting: event.isOn,
      }
    case 'all':
      return { ...ofList(state, event.listKey), isAll: true }
    case 'drawn':
      return { ...state, open: openAfter(state.open, event) }
    case 'stepped':
      return { ...state, open: { ...state.open, place: event.place } }
    case 'focus':
      return { ...state, focusId: event.id }
  }
}

/** The state of one inbox, outside React's own: each step changes `open` and draws nothing anew. */
export const createInboxStore = () => {
  const store = createStore(initialState)
  return {
    ...store,
    dispatch: (event: InboxEvent): void => store.set(inboxReducer(store.get(), event)),
  }
}

export type InboxStore = ReturnType<typeof createInboxStore>

/** The selection, as far as it belongs to a list. */
export const useSelection = ({ useSome, dispatch }: InboxStore, listKey: string) => {
  const ids = useSome((state) => (state.listKey === listKey ? state.selected : none))
  const isAll = useSome((state) => state.listKey === listKey && state.isAll)
  const isSelecting = useSome((state) => state.listKey === listKey && state.isSelecting)
  const toggle = useCallback(
    (id: string) => dispatch({ type: 'toggled', listKey, id }),
    [dispatch, listKey],
  )
  return {
    ids,
    isAll,
    isOn: ids.size > 0 || isAll || isSelecting,
    toggle,
    all: () => dispatch({ type: 'all', listKey }),
    begin: () => dispatch({ type: 'selecting', listKey, isOn: true }),
    clear: () => dispatch({ type: 'selecting', listKey, isOn: false }),
  }
}
