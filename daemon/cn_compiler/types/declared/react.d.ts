// What React hands on of the types that it is given.
export = React;
export as namespace React;

declare namespace React {
  type Key = string | number | bigint;
  type ReactNode = ReactElement | string | number | bigint | Iterable<ReactNode> | boolean | null | undefined;
  type ReactText = string | number;
  type ElementType<P = any> = JSXElementConstructor<P> | string;
  type ComponentType<P = {}> = ComponentClass<P> | FunctionComponent<P>;
  type JSXElementConstructor<P> = ((props: P, deprecated?: any) => ReactNode | Promise<ReactNode>) | (new (props: P, deprecated?: any) => Component<any, any>);
  interface ReactElement<P = any, T = string | JSXElementConstructor<any>> {
    type: T;
    props: P;
    key: string | null;
  }
  interface FunctionComponentElement<P> extends ReactElement<P, FunctionComponent<P>> {}
  interface ReactPortal extends ReactElement {
    children: ReactNode;
  }
  interface RefObject<T> {
    current: T;
  }
  interface MutableRefObject<T> {
    current: T;
  }
  type RefCallback<T> = (instance: T | null) => void | (() => void);
  type Ref<T> = RefCallback<T> | RefObject<T | null> | RefObject<T> | null;
  type LegacyRef<T> = string | Ref<T>;
  type ForwardedRef<T> = ((instance: T | null) => void) | MutableRefObject<T | null> | null;
  interface Attributes {
    key?: Key | null;
  }
  interface RefAttributes<T> extends Attributes {
    ref?: LegacyRef<T>;
  }
  interface ClassAttributes<T> extends RefAttributes<T> {}

  type PropsWithChildren<P = unknown> = P & { children?: ReactNode };
  type PropsWithoutRef<P> = P extends any ? ("ref" extends keyof P ? Omit<P, "ref"> : P) : P;
  type PropsWithRef<P> = P;
  type ComponentProps<T> = T extends JSXElementConstructor<infer P> ? P : {};
  type ComponentPropsWithRef<T> = T extends JSXElementConstructor<infer P> ? P : {};
  type ComponentPropsWithoutRef<T> = PropsWithoutRef<ComponentProps<T>>;
  type CustomComponentPropsWithRef<T> = ComponentProps<T>;

  class Component<P = {}, S = {}, SS = any> {
    static contextType?: Context<any>;
    constructor(props: P, context?: any);
    context: unknown;
    setState<K extends keyof S>(state: ((prevState: Readonly<S>, props: Readonly<P>) => Pick<S, K> | S | null) | (Pick<S, K> | S | null), callback?: () => void): void;
    forceUpdate(callback?: () => void): void;
    render(): ReactNode;
    readonly props: Readonly<P>;
    state: Readonly<S>;
    refs: { [key: string]: any };
    componentDidMount?(): void;
    shouldComponentUpdate?(nextProps: Readonly<P>, nextState: Readonly<S>, nextContext: any): boolean;
    componentWillUnmount?(): void;
    componentDidCatch?(error: Error, errorInfo: any): void;
    getSnapshotBeforeUpdate?(prevProps: Readonly<P>, prevState: Readonly<S>): SS | null;
    componentDidUpdate?(prevProps: Readonly<P>, prevState: Readonly<S>, snapshot?: SS): void;
    componentWillMount?(): void;
    UNSAFE_componentWillMount?(): void;
    componentWillReceiveProps?(nextProps: Readonly<P>, nextContext: any): void;
    UNSAFE_componentWillReceiveProps?(nextProps: Readonly<P>, nextContext: any): void;
    componentWillUpdate?(nextProps: Readonly<P>, nextState: Readonly<S>, nextContext: any): void;
    UNSAFE_componentWillUpdate?(nextProps: Readonly<P>, nextState: Readonly<S>, nextContext: any): void;
  }
  class PureComponent<P = {}, S = {}, SS = any> extends Component<P, S, SS> {}
  interface ComponentClass<P = {}, S = any> {
    new (props: P, context?: any): Component<P, S>;
    defaultProps?: Partial<P>;
    displayName?: string;
    propTypes?: any;
    contextType?: Context<any>;
    getDerivedStateFromProps?: (nextProps: Readonly<P>, prevState: S) => Partial<S> | null;
    getDerivedStateFromError?: (error: any) => Partial<S> | null;
  }
  interface FunctionComponent<P = {}> {
    (props: P, deprecated?: any): ReactNode | Promise<ReactNode>;
    defaultProps?: Partial<P>;
    displayName?: string;
    propTypes?: any;
  }
  type FC<P = {}> = FunctionComponent<P>;
  type VFC<P = {}> = FunctionComponent<P>;
  interface ExoticComponent<P = {}> {
    (props: P): ReactNode;
    readonly $$typeof: symbol;
  }
  interface NamedExoticComponent<P = {}> extends ExoticComponent<P> {
    displayName?: string;
  }
  interface ForwardRefExoticComponent<P> extends NamedExoticComponent<P> {
    defaultProps?: Partial<P>;
    propTypes?: any;
  }
  interface ForwardRefRenderFunction<T, P = {}> {
    (props: P, ref: ForwardedRef<T>): ReactNode;
    displayName?: string;
  }
  type MemoExoticComponent<T extends ComponentType<any>> = NamedExoticComponent<ComponentProps<T>> & { readonly type: T };
  interface LazyExoticComponent<T extends ComponentType<any>> extends ExoticComponent<ComponentProps<T>> {
    readonly _result: T;
  }
  function forwardRef<T, P = {}>(render: ForwardRefRenderFunction<T, PropsWithoutRef<P>>): ForwardRefExoticComponent<PropsWithoutRef<P> & RefAttributes<T>>;
  function memo<P extends object>(Component: FunctionComponent<P>, propsAreEqual?: (prevProps: Readonly<P>, nextProps: Readonly<P>) => boolean): NamedExoticComponent<P>;
  function memo<T extends ComponentType<any>>(Component: T, propsAreEqual?: (prevProps: Readonly<ComponentProps<T>>, nextProps: Readonly<ComponentProps<T>>) => boolean): MemoExoticComponent<T>;
  function lazy<T extends ComponentType<any>>(load: () => Promise<{ default: T }>): LazyExoticComponent<T>;
  function createRef<T>(): RefObject<T | null>;
  function isValidElement<P>(object: {} | null | undefined): object is ReactElement<P>;

  interface ProviderProps<T> {
    value: T;
    children?: ReactNode;
  }
  interface ConsumerProps<T> {
    children: (value: T) => ReactNode;
  }
  type Provider<T> = ExoticComponent<ProviderProps<T>>;
  type Consumer<T> = ExoticComponent<ConsumerProps<T>>;
  interface Context<T> extends Provider<T> {
    Provider: Provider<T>;
    Consumer: Consumer<T>;
    displayName?: string;
  }
  type ContextType<C extends Context<any>> = C extends Context<infer T> ? T : never;
  function createContext<T>(defaultValue: T): Context<T>;
  function useContext<T>(context: Context<T>): T;
  type Usable<T> = PromiseLike<T> | Context<T>;
  function use<T>(usable: Usable<T>): T;

  type SetStateAction<S> = S | ((prevState: S) => S);
  type Dispatch<A> = (value: A) => void;
  type DispatchWithoutAction = () => void;
  type AnyActionArg = [] | [any];
  type ActionDispatch<A extends AnyActionArg> = (...args: A) => void;
  type Reducer<S, A> = (prevState: S, action: A) => S;
  type ReducerState<R extends Reducer<any, any>> = R extends Reducer<infer S, any> ? S : never;
  type ReducerAction<R extends Reducer<any, any>> = R extends Reducer<any, infer A> ? A : never;
  type DependencyList = readonly unknown[];
  type EffectCallback = () => void | (() => void);
  type TransitionFunction = () => void | Promise<void>;
  interface TransitionStartFunction {
    (callback: TransitionFunction): void;
  }
  function useState<S>(initialState: S | (() => S)): [S, Dispatch<SetStateAction<S>>];
  function useState<S = undefined>(): [S | undefined, Dispatch<SetStateAction<S | undefined>>];
  function useReducer<S, A>(reducer: (prevState: S, action: A) => S, initialState: S): [S, Dispatch<A>];
  function useReducer<S, I, A>(reducer: (prevState: S, action: A) => S, initialArg: I, init: (initial: I) => S): [S, Dispatch<A>];
  function useReducer<R extends Reducer<any, any>>(reducer: R, initialState: ReducerState<R>, init?: undefined): [ReducerState<R>, Dispatch<ReducerAction<R>>];
  function useReducer<R extends Reducer<any, any>, I>(reducer: R, initialArg: I, init: (initial: I) => ReducerState<R>): [ReducerState<R>, Dispatch<ReducerAction<R>>];
  function useRef<T>(initialValue: T): MutableRefObject<T>;
  function useRef<T>(initialValue: T | null): RefObject<T | null>;
  function useRef<T = undefined>(initialValue?: undefined): MutableRefObject<T | undefined>;
  function useEffect(effect: EffectCallback, deps?: DependencyList): void;
  function useLayoutEffect(effect: EffectCallback, deps?: DependencyList): void;
  function useInsertionEffect(effect: EffectCallback, deps?: DependencyList): void;
  function useImperativeHandle<T, R extends T>(ref: Ref<T> | undefined, init: () => R, deps?: DependencyList): void;
  function useCallback<T extends Function>(callback: T, deps: DependencyList): T;
  function useEffectEvent<T extends Function>(callback: T): T;
  function useMemo<T>(factory: () => T, deps: DependencyList): T;
  function useDebugValue<T>(value: T, format?: (value: T) => any): void;
  function useDeferredValue<T>(value: T, initialValue?: T): T;
  function useTransition(): [boolean, TransitionStartFunction];
  function startTransition(scope: TransitionFunction): void;
  function useId(): string;
  function useSyncExternalStore<Snapshot>(subscribe: (onStoreChange: () => void) => () => void, getSnapshot: () => Snapshot, getServerSnapshot?: () => Snapshot): Snapshot;
  function useOptimistic<S>(passthrough: S): [S, (action: S | ((pendingState: S) => S)) => void];
  function useOptimistic<S, A>(passthrough: S, reducer: (state: S, action: A) => S): [S, (action: A) => void];
  function useActionState<S>(action: (state: Awaited<S>) => S | Promise<S>, initialState: Awaited<S>, permalink?: string): [state: Awaited<S>, dispatch: () => void, isPending: boolean];
  function useActionState<S, P>(action: (state: Awaited<S>, payload: P) => S | Promise<S>, initialState: Awaited<S>, permalink?: string): [state: Awaited<S>, dispatch: (payload: P) => void, isPending: boolean];
  function cache<F extends Function>(fn: F): F;

  function createElement<P extends {}>(type: FunctionComponent<P> | ComponentClass<P> | string, props?: (Attributes & P) | null, ...children: ReactNode[]): ReactElement<P>;
  function cloneElement<P>(element: ReactElement<P>, props?: Partial<P> & Attributes, ...children: ReactNode[]): ReactElement<P>;
  const Fragment: ExoticComponent<{ children?: ReactNode }>;
  const StrictMode: ExoticComponent<{ children?: ReactNode }>;
  const Suspense: ExoticComponent<{ children?: ReactNode; fallback?: ReactNode; name?: string }>;

  interface CSSProperties {}
  interface AriaAttributes {}
  interface DOMAttributes<T> {
    children?: ReactNode;
  }
  interface HTMLAttributes<T> extends AriaAttributes, DOMAttributes<T> {}
  interface AllHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface SVGAttributes<T> extends AriaAttributes, DOMAttributes<T> {}
  interface SVGProps<T> extends SVGAttributes<T>, ClassAttributes<T> {}
  interface AnchorHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface ButtonHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface FormHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface ImgHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface InputHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface LabelHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface OptionHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface SelectHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface TableHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface TdHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface TextareaHTMLAttributes<T> extends HTMLAttributes<T> {}
  interface ThHTMLAttributes<T> extends HTMLAttributes<T> {}
  type HTMLProps<T> = AllHTMLAttributes<T> & ClassAttributes<T>;
  type DetailedHTMLProps<E extends HTMLAttributes<T>, T> = ClassAttributes<T> & E;
}
