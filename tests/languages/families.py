"""One family of types per language: a `Shape` with a member `area`, which `Square` and `Circle` have too, and `Other`,
which is no Shape. One function for each asks for it, `generic` of any Shape by a type parameter."""

from __future__ import annotations

from dataclasses import dataclass

# Who calls the member of which type: one rule for every language.
CALLERS = {
    "Shape": ["direct", "generic", "rounded", "through"],
    "Square": ["direct", "generic", "through"],
    "Circle": ["generic", "rounded", "through"],
    "Other": ["other"],
}


@dataclass(frozen=True)
class Family:
    """files: what is added to the project of the row. member: its name."""

    files: dict[str, str]
    member: str = "area"


FAMILIES = {
    "python": Family(
        {
            "shapes.py": """
                from abc import ABC, abstractmethod


                class Shape(ABC):
                    @abstractmethod
                    def area(self) -> int: ...


                class Square(Shape):
                    def area(self) -> int:
                        return 4


                class Curved(Shape):
                    pass


                class Circle(Curved):
                    def area(self) -> int:
                        return 3


                class Other:
                    def area(self) -> int:
                        return 1
                """,
            "shaping.py": """
                from typing import TypeVar

                from shapes import Circle, Other, Shape, Square

                T = TypeVar("T", bound=Shape)


                def direct(shape: Square) -> int:
                    return shape.area()


                def rounded(shape: Circle) -> int:
                    return shape.area()


                def through(shape: Shape) -> int:
                    return shape.area()


                def generic(shape: T) -> int:
                    return shape.area()


                def other(shape: Other) -> int:
                    return shape.area()
                """,
        }
    ),
    "c": Family(
        {
            "shapes.hpp": """
                #pragma once

                struct Shape {
                  virtual int area() const = 0;
                };
                struct Square : Shape {
                  int area() const override { return 4; }
                };
                struct Curved : Shape {};
                struct Circle : Curved {
                  int area() const override { return 3; }
                };
                struct Other {
                  int area() const { return 1; }
                };
                """,
            "shaping.cpp": """
                #include "shapes.hpp"

                int direct(const Square& shape) { return shape.area(); }
                int rounded(const Circle& shape) { return shape.area(); }
                int through(const Shape& shape) { return shape.area(); }
                template <class T> int generic(const T& shape) {
                  const Shape& any = shape;
                  return any.area();
                }
                int other(const Other& shape) { return shape.area(); }
                """,
        }
    ),
    "go": Family(
        {
            "shapes/shapes.go": """
                package shapes

                type Shape interface {
                    Area() int
                }

                type Square struct{}

                func (s Square) Area() int { return 4 }

                type Circle struct{}

                func (c *Circle) Area() int { return 3 }

                type Other struct{}

                func (o Other) Area(scale int) int { return scale }
                """,
            "_examples/shaping.go": """
                package shaping

                import "example.com/shop/shapes"

                func direct(shape shapes.Square) int { return shape.Area() }

                func rounded(shape *shapes.Circle) int { return shape.Area() }

                func through(shape shapes.Shape) int { return shape.Area() }

                func generic[T shapes.Shape](shape T) int { return shape.Area() }

                func other(shape shapes.Other) int { return shape.Area(1) }
                """,
        },
        "Area",
    ),
    "rust": Family(
        {
            "src/lib.rs": """
                mod checkout;
                mod legacy;
                pub mod order;
                mod shapes;
                mod shaping;
                """,
            "src/shapes.rs": """
                pub trait Shape<T> {
                    fn area(&self) -> T;
                }
                pub struct Square;
                impl Shape<u32> for Square {
                    fn area(&self) -> u32 {
                        4
                    }
                }
                pub struct Circle<F>(pub F);
                impl<F: Fn() -> u32> self::Shape<u32> for Circle<F> {
                    fn area(&self) -> u32 {
                        3
                    }
                }
                pub struct Other;
                impl Other {
                    pub fn area(&self) -> u32 {
                        1
                    }
                }
                """,
            "src/shaping.rs": """
                use crate::shapes::{Circle, Other, Shape, Square};

                pub fn direct(shape: &Square) -> u32 {
                    shape.area()
                }
                pub fn rounded(shape: &Circle<fn() -> u32>) -> u32 {
                    shape.area()
                }
                pub fn through(shape: &dyn Shape<u32>) -> u32 {
                    shape.area()
                }
                pub fn generic<T: Shape<u32>>(shape: &T) -> u32 {
                    shape.area()
                }
                pub fn other(shape: &Other) -> u32 {
                    shape.area()
                }
                """,
        }
    ),
}
