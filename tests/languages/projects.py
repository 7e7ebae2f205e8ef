"""One small shop per language: the same symbols, so that the contract is the same for every row.

In each, `Order` is a type with a member `total`; `checkout` makes an order and asks for its total; a second file uses
both; a third holds an `Order` of its own that must not be mixed up with the first.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    """files: by path. outline: of `main`, as `line kind name`. uses: of Order, as `path:line`.

    member: how the member is asked for. callers: of the member. block: how what inspect shows of it begins.
    added: a further file that uses Order, its text, and where it does. unsure: a further file with a mention of the
    member that may be a use, its text, and what the verdict says of it (None: the server
    takes it for one). ranked: what the overview names.
    diagnostics: whether the server has some.
    """

    row: str
    files: dict[str, str]
    main: str
    user: str
    outline: list[str]
    uses: list[str]
    member: str
    member_uses: list[str]
    callers: list[str]
    block: str
    documentation: str
    added: tuple[str, str, str]
    unsure: tuple[str, str, str | None]
    ranked: list[str]
    diagnostics: bool = True


PYTHON = Project(
    "python",
    {
        "shop/__init__.py": "from shop.order import Order as Order\n",
        "shop/order.py": '''
            """Orders."""

            from functools import cached_property

            LIMIT = 3


            class Order:
                """What a customer buys."""

                def __init__(self, price: int) -> None:
                    self.price = price

                # The member that is asked for.
                @cached_property
                def total(self) -> int:
                    """The price, with a fee."""

                    def fee() -> int:
                        return LIMIT

                    return self.price + fee()
            ''',
        "shop/checkout.py": """
            from shop.order import Order


            def checkout(price: int) -> int:
                order = Order(price)
                return order.total  # Order in a comment is none
            """,
        "shop/report.py": """
            import shop
            from shop import order as orders
            from shop.checkout import checkout


            def report(order: orders.Order) -> str:
                return f"{order.total} {checkout(1)} {shop.Order(2).total} Order"
            """,
        "legacy/order.py": """
            class Order:
                total = 1


            def make() -> Order:
                return Order()
            """,
    },
    main="shop/order.py",
    user="shop/checkout.py",
    outline=[
        "5 Constant LIMIT",
        "8 Class Order",
        "11 Constructor Order.__init__",
        "12 Property Order.price",
        "16 Method Order.total",
    ],
    uses=[
        "shop/__init__.py:1",
        "shop/__init__.py:1",
        "shop/checkout.py:1",
        "shop/checkout.py:5",
        "shop/report.py:6",
        "shop/report.py:7",
    ],
    member="Order.total",
    member_uses=["shop/checkout.py:6", "shop/report.py:7", "shop/report.py:7"],
    callers=["checkout", "report"],
    block="    # The member that is asked for.\n    @cached_property\n    def total(self) -> int:",
    documentation="The price, with a fee.",
    added=("shop/extra.py", "from shop.order import Order\n\nEXTRA = Order(4)\n", "shop/extra.py:3"),
    unsure=(
        "shop/loose.py",
        "def loose(thing):\n    return thing.total\n",
        "a mention of total may be a use as well: the type is not known (shop/loose.py:2)",
    ),
    ranked=["Order", "checkout"],
)

_HEADER = """
#pragma once

namespace shop {

/// What a customer buys.
class Order {
 public:
  explicit Order(int price) : price_(price) {}
  // The member that is asked for.
  int total() const;

 private:
  int price_;
};

}  // namespace shop
"""
C = Project(
    "c",
    {
        "order.hpp": _HEADER,
        "order.cpp": """
            #include "order.hpp"

            namespace shop {

            int Order::total() const { return price_ + 3; }

            }  // namespace shop
            """,
        "checkout.cpp": """
            #include "order.hpp"

            int checkout(int price) {
              shop::Order order(price);
              return order.total();  // Order in a comment is none
            }
            """,
        "legacy/order.cpp": """
            namespace other {
            struct Order {
              int total() const { return 1; }
            };
            int make() { return Order().total(); }
            }  // namespace other
            """,
    },
    main="order.hpp",
    user="checkout.cpp",
    outline=[
        "3 Namespace shop",
        "6 Class shop.Order",
        "8 Constructor shop.Order.Order",
        "10 Method shop.Order.total",
        "13 Property shop.Order.price_",
    ],
    uses=["checkout.cpp:4", "order.cpp:5"],
    member="Order.total",
    member_uses=["checkout.cpp:5"],
    callers=["checkout"],
    block="  // The member that is asked for.\n  int total() const;",
    documentation="The member that is asked for.",
    added=("extra.cpp", '#include "order.hpp"\n\nint extra() { return shop::Order(4).total(); }\n', "extra.cpp:3"),
    unsure=("loose.cpp", "template <class T> int loose(T& thing) { return thing.total(); }\n", None),
    ranked=["Order"],
    diagnostics=False,
)

GO = Project(
    "go",
    {
        "go.mod": "module example.com/shop\n\ngo 1.18\n",
        "order/order.go": """
            // Package order holds orders.
            package order

            import "strings"

            // Limit is how many.
            const Limit = 3

            // Fee tells fees.
            type Fee func(price int) int

            // Order is what a customer buys.
            type Order struct {
                Price int
            }

            // The member that is asked for.
            func (o *Order) Total() int {
                fee := func() int { return len(strings.ToUpper(`Order`)) }
                return o.Price + fee()
            }
            """,
        "order/stack.go": """
            package order

            // Stack of orders.
            type Stack[T any] struct {
                Items []T
            }

            func (s *Order) Doubled() int { return s.Total() * 2 }
            """,
        "checkout.go": """
            package shop

            import "example.com/shop/order"

            func checkout(price int) int {
                bought := order.Order{Price: price}
                return bought.Total() // Order in a comment is none
            }
            """,
        "legacy/order.go": """
            package legacy

            type Order struct{}

            func (o Order) Total() int { return 1 }

            var Made = Order{}.Total()
            """,
    },
    main="order/order.go",
    user="checkout.go",
    outline=[
        "7 Constant Limit",
        "10 TypeAlias Fee",
        "13 Class Order",
        "14 Property Order.Price",
        "18 Method Order.Total",
    ],
    uses=["checkout.go:6", "order/order.go:18", "order/stack.go:8"],
    member="Order.Total",
    member_uses=["checkout.go:7", "order/stack.go:8"],
    callers=["Doubled", "checkout"],
    block="// The member that is asked for.\nfunc (o *Order) Total() int {",
    documentation="The member that is asked for.",
    added=(
        "extra.go",
        'package shop\n\nimport "example.com/shop/order"\n\nvar extra = order.Order{Price: 4}\n',
        "extra.go:5",
    ),
    unsure=(
        "order/special.go",
        "//go:build special\n\npackage order\n\nfunc special(o Order) int { return o.Total() }\n",
        "a mention of Total may be a use as well: the type is not known, or //go:build special leaves its file out "
        "(order/special.go:5)",
    ),
    ranked=["Order"],
    diagnostics=False,
)

RUST = Project(
    "rust",
    {
        "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
        "build.rs": 'fn main() {\n    std::fs::write("built", "").unwrap();\n}\n',
        "src/lib.rs": """
            mod checkout;
            mod legacy;
            pub mod order;
            """,
        "src/order.rs": """
            /// How many.
            pub const LIMIT: u32 = 3;

            /// What a customer buys.
            #[allow(dead_code)]
            pub struct Order {
                pub price: u32,
            }

            pub trait Priced {
                fn total(&self) -> u32;
            }

            impl Order {
                // A comment.
                /// The price, with a fee.
                #[inline]
                pub fn total(&self) -> u32 {
                    fn fee() -> u32 {
                        LIMIT
                    }
                    self.price + fee()
                }
            }

            impl Priced for Order {
                fn total(&self) -> u32 {
                    self.price
                }
            }
            """,
        "src/checkout.rs": """
            use crate::order::Order;

            pub fn checkout(price: u32) -> u32 {
                let order = Order { price };
                order.total() // Order in a comment is none
            }

            impl Order {
                pub fn doubled(&self) -> u32 {
                    self.total() * 2
                }
            }

            mod inner {
                pub fn priced<T: crate::order::Priced>(thing: &T) -> u32 {
                    thing.total()
                }
            }
            """,
        "src/legacy/mod.rs": """
            pub struct Order;

            impl Order {
                pub fn total(&self) -> u32 {
                    1
                }
            }

            pub fn made() -> u32 {
                Order.total()
            }
            """,
    },
    main="src/order.rs",
    user="src/checkout.rs",
    outline=[
        "2 Constant LIMIT",
        "6 Class Order",
        "7 Property Order.price",
        "18 Method Order.total",
        "27 Method Order.total",
        "10 Interface Priced",
        "11 Method Priced.total",
    ],
    uses=["src/checkout.rs:1", "src/checkout.rs:4", "src/checkout.rs:8", "src/order.rs:14", "src/order.rs:26"],
    member="Order.total",
    member_uses=["src/checkout.rs:10", "src/checkout.rs:5"],
    callers=["checkout", "doubled"],
    block="    // A comment.\n    /// The price, with a fee.\n    #[inline]\n    pub fn total(&self) -> u32 {",
    documentation="A comment.\nThe price, with a fee.",
    added=(
        "src/legacy/mod.rs",
        "pub struct Order;\n\nfn extra() -> crate::order::Order {\n    crate::order::Order { price: 4 }\n}\n",
        "src/legacy/mod.rs:4",
    ),
    unsure=(
        "src/legacy/mod.rs",
        "#[cfg(windows)]\nfn f(o: crate::order::Order) -> u32 {\n    o.total()\n}\n",
        "a mention of total may be a use as well: the type is not known, or a macro or code that a cfg leaves out "
        "holds it (src/legacy/mod.rs:3)",
    ),
    ranked=["Order"],
)

PROJECTS = (PYTHON, C, GO, RUST)
